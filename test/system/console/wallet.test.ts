import { describe, expect, test } from 'vitest'
import { drawLines } from '../../../src/tools/console/views/wallet/barcodes.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'

describe('the wallet of the console', () => {
  useBrowser()

  test('findings show at their places in the card; a good card has none; what is no JSON is said to be', async () => {
    const { page } = await openConsole('wallet')
    await page.getByRole('button', { name: 'Check' }).click()
    const findings = page.getByRole('region', { name: 'Findings' })
    await findings.getByRole('heading', { name: '3 errors' }).waitFor()
    const marked = page.getByRole('region', { name: 'The card with its findings' }).locator('.line.bad')
    await expect
      .poll(() => marked.allInnerTexts())
      .toEqual([
        expect.stringMatching(/value: "4006381333932"\s*CheckDigit/),
        expect.stringMatching(/lat: 140.7\s*OutOfRange/),
        expect.stringMatching(/count: 2\s*CountMismatch/),
      ])

    const card = { serialType: 'QRCODE', ptFormat: 'QRCODE', ptSubFormat: 'QR_CODE', value: 'https://example.com/ü' }
    await page.getByRole('textbox', { name: 'Card' }).fill(JSON.stringify({ barcode: JSON.stringify(card) }))
    await page.getByRole('img', { name: 'QR_CODE of https://example.com/ü' }).waitFor()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: 'No errors' }).waitFor()
    await page.getByRole('textbox', { name: 'Card' }).fill('{')
    await page.getByRole('button', { name: 'Check' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('This is not JSON')
  })

  test('the drawing follows what is typed', async () => {
    const { page } = await openConsole('wallet')
    for (const [ptSubFormat, value] of [
      ['CODE_128', 'PAY-2026'],
      ['EAN_8', '96385074'],
      ['UPC_A', '036000291452'],
    ]) {
      const barcode = { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat, value }
      await page.getByRole('textbox', { name: 'Card' }).fill(JSON.stringify({ barcode }))
      await page.getByRole('img', { name: `${ptSubFormat} of ${value}` }).waitFor()
    }
  })
})

// The patterns are those of ISO/IEC 15420 and 15417, as printed on goods.
test('an EAN-13 has 95 modules, and the first digit is in the left half', () => {
  const modules = drawLines({ format: 'EAN_13', value: '4006381333931' })!
  expect(modules).toHaveLength(95)
  expect(modules).toBe(
    [
      '101',
      '0001101',
      '0100111',
      '0101111',
      '0111101',
      '0001001',
      '0110011',
      '01010',
      '1000010',
      '1000010',
      '1000010',
      '1110100',
      '1000010',
      '1100110',
      '101',
    ].join(''),
  )
})

test('a UPC-A is the EAN-13 with a leading 0, an EAN-8 has 67 modules, and letters are none of them', () => {
  expect(drawLines({ format: 'UPC_A', value: '036000291452' })).toBe(
    drawLines({ format: 'EAN_13', value: '0036000291452' }),
  )
  expect(drawLines({ format: 'EAN_8', value: '96385074' })).toHaveLength(67)
  expect(drawLines({ format: 'EAN_8', value: '9638507A' })).toBeUndefined()
})

test('a Code 128 has 11 modules a symbol and 13 for the stop, and digits go in pairs', () => {
  expect(drawLines({ format: 'CODE_128', value: 'A' })).toBe(
    ['11010010000', '10100011000', '10001011000', '1100011101011'].join(''),
  )
  expect(drawLines({ format: 'CODE_128', value: '00123456' })).toHaveLength(11 * 6 + 13)
  expect(drawLines({ format: 'CODE_128', value: 'é' })).toBeUndefined()
})
