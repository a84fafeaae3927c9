import {
  azteccode,
  code39,
  code93,
  code128,
  databarexpanded,
  databaromni,
  datamatrix,
  drawingSVG,
  ean2,
  ean5,
  ean8,
  ean13,
  interleaved2of5,
  maxicode,
  pdf417,
  qrcode,
  rationalizedCodabar,
  upca,
  upce,
} from 'bwip-js/browser'
import type { PtSubFormat } from '#contract/records/wallet/card.ts'

type Draw = (value: string) => string

/** Readers need this much white around lines and around squares. */
const QUIET = 10
const QUIET_SQUARE = 4

const lines = (symbology: typeof ean13, options: object = {}): Draw => draw(symbology, QUIET, options)
const squares = (symbology: typeof ean13, options: object = {}): Draw => draw(symbology, QUIET_SQUARE, options)

function draw(symbology: typeof ean13, quiet: number, options: object): Draw {
  return (text) =>
    symbology(
      {
        bcid: '',
        text,
        scale: 1,
        paddingwidth: quiet,
        paddingheight: QUIET_SQUARE,
        backgroundcolor: 'fff',
        ...options,
      },
      drawingSVG(),
    )
}

/** GS1 symbologies need the application identifier before the number. */
const withIdentifier =
  (inner: Draw): Draw =>
  (value) =>
    inner(value.startsWith('(') ? value : `(01)${value}`)

const symbols: Readonly<Record<PtSubFormat, Draw>> = {
  APIAZTEC: squares(azteccode),
  // Cards may leave out the start and stop letters, which a drawing needs.
  CODABAR: (value) => lines(rationalizedCodabar)(/^[A-D]/i.test(value) ? value.toUpperCase() : `A${value}A`),
  CODE_39: lines(code39),
  CODE_93: lines(code93),
  CODE_128: lines(code128),
  DATA_MATRIX: squares(datamatrix),
  EAN_8: lines(ean8),
  EAN_13: lines(ean13),
  ITF: lines(interleaved2of5),
  MAXICODE: squares(maxicode),
  PDF_417: squares(pdf417),
  QR_CODE: squares(qrcode, { eclevel: 'M' }),
  RSS_14: withIdentifier(lines(databaromni)),
  RSS_EXPANDED: withIdentifier(lines(databarexpanded)),
  UPC_A: lines(upca),
  UPC_E: lines(upce),
  UPC_EAN_EXTENSION: (value) => lines(value.length === 2 ? ean2 : ean5)(value),
}

/** The SVG has only a view box, so that its page sizes it. Throws an Error when a symbol cannot contain the value. */
export function drawSymbol(format: string, value: string): string {
  if (!isFormat(format)) throw new Error(`${format} is not a barcode format of document 2`)
  try {
    return symbols[format](value)
  } catch (error) {
    // The readable text follows bwipp's error code.
    throw new Error(String(error).replace(/^.*?#\d+:\s*/, ''), { cause: error })
  }
}

const isFormat = (format: string): format is PtSubFormat => Object.hasOwn(symbols, format)
