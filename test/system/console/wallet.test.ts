import { describe, expect, test } from 'vitest'
import type { PtSubFormat } from '../../../src/contract/records/wallet/card.ts'
import { openConsole, useBrowser } from '../../helpers/console.ts'

const examples: Readonly<Record<PtSubFormat, string>> = {
  APIAZTEC: 'PAY-2026',
  CODABAR: '31117013206375',
  CODE_39: 'PAY-2026',
  CODE_93: 'PAY-2026',
  CODE_128: 'PAY-2026',
  DATA_MATRIX: 'PAY-2026',
  EAN_8: '96385074',
  EAN_13: '4006381333931',
  ITF: '12345670',
  MAXICODE: 'PAY-2026',
  PDF_417: 'PAY-2026',
  QR_CODE: 'https://example.com/ü',
  RSS_14: '24012345678905',
  RSS_EXPANDED: '(01)95012345678903(3103)000123',
  UPC_A: '036000291452',
  UPC_E: '01234565',
  UPC_EAN_EXTENSION: '90200',
}

describe('the wallet in the console', () => {
  useBrowser()

  test('a card shows findings at its fields, and text that is not JSON is reported', async () => {
    const { page } = await openConsole('wallet')
    await page.getByRole('img', { name: 'EAN_13 of 4006381333931' }).waitFor()
    const text = page.getByRole('textbox', { name: 'Card' })
    await text.fill((await text.inputValue()).replace('4006381333931', '4006381333932'))
    await page.getByRole('button', { name: 'Check card' }).click()
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
    await page.getByRole('button', { name: 'Check card' }).click()
    await page.getByRole('heading', { name: 'No errors' }).waitFor()
    await page.getByRole('textbox', { name: 'Card' }).fill('{')
    await page.getByRole('button', { name: 'Check card' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('This is not JSON')
  })

  test('every barcode format of document 2 is rendered, and an invalid barcode is reported', async () => {
    const { page } = await openConsole('wallet')
    const type = (ptSubFormat: string, value: string) =>
      page.getByRole('textbox', { name: 'Card' }).fill(JSON.stringify({ barcode: { ptSubFormat, value } }))
    for (const [format, value] of Object.entries(examples)) {
      await type(format, value)
      const drawing = page.getByRole('img', { name: `${format} of ${value}` })
      await drawing.waitFor()
      await expect
        .poll(() => drawing.evaluate((image) => ('naturalWidth' in image ? Number(image.naturalWidth) : 0)))
        .toBeGreaterThan(20)
    }
    await type('EAN_13', '4006381333932')
    await page.getByText('This barcode cannot be drawn. Incorrect EAN-13 check digit provided.').waitFor()
    await type('EAN_14', '1')
    await page.getByText('This barcode cannot be drawn. EAN_14 is not a barcode format of document 2.').waitFor()
  })
})
