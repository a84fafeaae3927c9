import * as z from 'zod'
import { checkReply, checkRequest } from '../records/wallet/card.ts'
import { signedCertificate } from '../records/wallet/signing-request.ts'
import { defineControl } from './define.ts'

/** Of `vendor-cloud wallet request`. Its key is not kept. */
const SIGNING_REQUEST = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIIC/jCCAeYCAQAwgbgxCzAJBgNVBAYTAlVTMRMwEQYDVQQIDApOZXcgSmVyc2V5',
  'MRgwFgYDVQQHDA9SaWRnZWZpZWxkIFBhcmsxHDAaBgNVBAoME0V4YW1wbGUgUGFy',
  'dG5lciBJbmMxDzANBgNVBAsMBldhbGxldDEjMCEGA1UEAwwad2FsbGV0LnBhcnRu',
  'ZXIuZXhhbXBsZS5jb20xJjAkBgkqhkiG9w0BCQEWF29wc0BwYXJ0bmVyLmV4YW1w',
  'bGUuY29tMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAspy3jfTscWbK',
  'mNP9IYRQJoa6m8j99CStohO1Bhi49m05+1PvxB8ayKhIYS15OM2FRxR+yO2EkV04',
  '1U02kIQ2fxFstI1BnPc/hvwNake5ev9WZulS5gkLLfmqgG8xd09lWLvjbsIKkKIn',
  'SM7DPQT6mIQ7TJj/kdMo1tu9dTF2ONdEW/kMvT5lX3IrWmjo235e7q0Zd3cBWqRR',
  'CSSPEdB3sAl5oHQQSKuaqnhrxO3IhNBoQRnp7H61fQzRK+Y6Mfq8/bt3Pcvl9JPn',
  'sbdcrUBgGR5oYUlQiCsbWK499hjnt8UCXI8BN8XEZ2E79/aPtzmbt/5Cfnqhg+Sm',
  'TQ8OSmvkLwIDAQABoAAwDQYJKoZIhvcNAQELBQADggEBADsrjZyT9NNgDgWEzw9o',
  'MjcM49t0bRO/4F30wp3uyDrFjjBvHAcd4Kz0/0zUJx6aOxatnswm9Iut5XFXoAu/',
  '0lCVIJwMphlKrNCaw6mBwH+R2QS4m5UVzq/hCr4ugI7cA0jxbEHO2KRv0khMpD08',
  'JY+R9UN8DdtQk8MTE5vuNm2QrRfEBm7INB4PTbYc2zU/KzMf40dQs3T5gpzpzx05',
  'HshMuhKTmz673Sfm6wIrWGHkUDvnWs06EjeE05b2rGaHv5AAC3ykSZTEuspm5ueq',
  '95elTnXs7SZoBA8wk4D9irBga5Bt41hCFM1oB4OikbGWbiQPEB+/SQKOj+y8w9io',
  'XQY=',
  '-----END CERTIFICATE REQUEST-----\n',
].join('\n')

export const walletOperations = defineControl('Wallet', {
  checkCard: {
    // The domain reports errors in the card as the result.
    validatesItself: true,
    summary: 'Validate a wallet card',
    body: checkRequest,
    reply: checkReply,
    example: {
      body: { barcode: { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333931' } },
    },
  },
  issueCertificate: {
    summary: 'Issue a certificate',
    description: 'Signs a certificate signing request with the local certificate authority.',
    body: z.strictObject({
      request: z.string().max(65_536).describe('Certificate signing request (PEM)'),
    }),
    reply: signedCertificate,
    example: { body: { request: SIGNING_REQUEST } },
  },
})
