import { defineChoices } from './choice.ts'

export const walletChoices = defineChoices('Wallet', 'document 2', {
  'wallet-lengths': {
    silence: 'lengths',
    choice: '`partnerCode` up to 32, `modelName` up to 64',
    why: 'CMN1N1003 needs a limit',
  },
  'wallet-country': {
    silence: 'country code',
    choice: 'an optional query `countryCode`, ISO 3166 alpha-2 in capitals; it changes nothing else',
    why: 'CMN2N2007 needs a cause',
  },
  'wallet-order': {
    silence: 'order',
    choice:
      'missing, length, value, unknown partner, country; all such parameters are named; empty is missing, ' +
      'repeated invalid',
  },
  'signing-requests': {
    silence: 'fields of a signing request',
    choice: 'lengths are those of X.520, a country is one of ISO 3166, and each but the unit stands there once',
  },
  'wallet-http-errors': {
    silence: 'errors of HTTP (404 below `/wallet`, 405, 408, 413, 415, 429, 431)',
    choice: 'keep their status, with CMN5N9001',
    why: 'no parameter is at fault',
  },
  'wallet-content-type': {
    silence: 'content type',
    choice: 'exactly `application/json;charset=UTF-8`',
    why: 'as the document spells it',
  },
})

export const cardsChoices = defineChoices('Cards', 'document 2', {
  'card-check': {
    silence: 'where they are checked',
    choice:
      '`POST /_control/wallet/check` and `vendor-cloud wallet check-card`: all findings, errors and ' +
      'warnings apart; parts as JSON or as escaped strings',
  },
  'card-required': {
    silence: 'required',
    choice:
      'serialType; unless NONE, ptFormat and value; ptSubFormat with BARCODE and DUALBARCODE; QRCODE takes ' +
      'QR_CODE by itself',
  },
  'card-fields': {
    silence: 'a part that is no JSON; ranges of coordinates, lengths of inner lists, fields that nobody knows',
    choice: 'an error each; of unknown fields a warning, since they are ignored',
  },
  'card-stand-alone': {
    silence: '"not stand-alone"',
    choice: 'UPC_EAN_EXTENSION with dual barcodes only',
  },
  'card-value': {
    silence: 'value',
    choice: 'fits its format: check digits, counts, characters, capacity',
  },
  'card-warnings': {
    silence: 'warnings',
    choice: 'odd pairs of serialType and format; over 1,024 characters of locations; long content',
  },
})
