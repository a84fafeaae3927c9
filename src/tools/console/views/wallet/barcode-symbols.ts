import * as bwip from '@bwip-js/browser'
import type { PtSubFormat } from '#contract/records/wallet/card.ts'

type Draw = (value: string) => string

/** White margin that scanners require around linear and around square symbols. */
const QUIET = 10
const QUIET_SQUARE = 4

const lines = (symbology: typeof bwip.ean13, options: object = {}): Draw => draw(symbology, QUIET, options)
const squares = (symbology: typeof bwip.ean13, options: object = {}): Draw => draw(symbology, QUIET_SQUARE, options)

function draw(symbology: typeof bwip.ean13, quiet: number, options: object): Draw {
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
      bwip.drawingSVG(),
    )
}

/** GS1 symbologies require the application identifier before the number. */
const withIdentifier =
  (inner: Draw): Draw =>
  (value) =>
    inner(value.startsWith('(') ? value : `(01)${value}`)

const symbols: Readonly<Record<PtSubFormat, Draw>> = {
  APIAZTEC: squares(bwip.azteccode),
  // Cards may omit the start and stop characters, but the symbol requires them.
  CODABAR: (value) => lines(bwip.rationalizedCodabar)(/^[A-D]/i.test(value) ? value.toUpperCase() : `A${value}A`),
  CODE_39: lines(bwip.code39),
  CODE_93: lines(bwip.code93),
  CODE_128: lines(bwip.code128),
  DATA_MATRIX: squares(bwip.datamatrix),
  EAN_8: lines(bwip.ean8),
  EAN_13: lines(bwip.ean13),
  ITF: lines(bwip.interleaved2of5),
  MAXICODE: squares(bwip.maxicode),
  PDF_417: squares(bwip.pdf417),
  QR_CODE: squares(bwip.qrcode, { eclevel: 'M' }),
  RSS_14: withIdentifier(lines(bwip.databaromni)),
  RSS_EXPANDED: withIdentifier(lines(bwip.databarexpanded)),
  UPC_A: lines(bwip.upca),
  UPC_E: lines(bwip.upce),
  UPC_EAN_EXTENSION: (value) => lines(value.length === 2 ? bwip.ean2 : bwip.ean5)(value),
}

/**
 * The SVG has only a `viewBox`, so that the page determines its size. Throws an Error if the symbology cannot encode
 * the value.
 */
export function drawSymbol(format: string, value: string): string {
  if (!isFormat(format)) throw new Error(`${format} is not a barcode format of document 2`)
  try {
    return symbols[format](value)
  } catch (error) {
    // Removes the error code, which precedes the readable text in bwipp's messages.
    throw new Error(String(error).replace(/^.*?#\d+:\s*/, ''), { cause: error })
  }
}

const isFormat = (format: string): format is PtSubFormat => Object.hasOwn(symbols, format)
