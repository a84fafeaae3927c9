import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asApp } from '../../helpers/build-test-app.ts'
import { answer, type OpenedConsole, openConsole, useBrowser } from '../../helpers/console.ts'

const picture = readFileSync(join(import.meta.dirname, '../../helpers/images/picture.png'))

describe('tickets and emails in the console', () => {
  useBrowser()

  async function book({ url }: OpenedConsole): Promise<string> {
    const reply = await fetch(`${url}/stg/us/instore/create`, {
      method: 'POST',
      headers: { ...asApp('splus-carol'), 'content-type': 'application/json' },
      body: JSON.stringify({
        ascType: 'WALKIN',
        ascCode: 'ASC001',
        appointmentDate: '2026-05-08',
        startTime: '10:30',
        symptoms: ['IS10'],
        modelCode: 'VM-S100',
        firstName: 'Carol',
        lastName: 'Baker',
        email: 'carol@example.com',
        zipCode: '07660',
      }),
    })
    return ((await reply.json()) as { srid: string }).srid
  }

  test('a new booking appears in the calendar and can be confirmed and completed', async () => {
    const opened = await openConsole('tickets')
    const { page, ask } = opened
    await page.getByRole('button', { name: 'Calendar' }).click()
    const calendar = page.getByRole('region', { name: 'Calendar' })
    await calendar.waitFor()
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.getByText('No slots are booked this week.').waitFor()
    expect(await calendar.count()).toBe(0)
    await page.getByRole('button', { name: 'This week' }).click()
    await calendar.waitFor()
    const srid = await book(opened)
    const row = page.getByRole('row', { name: /^10:30/ })
    await row.getByRole('link', { name: srid }).click()
    expect(await row.innerText()).toContain('1/10')

    const request = page.getByRole('article', { name: 'Service request' })
    const [confirm, complete] = ['Confirm', 'Complete'].map((name) =>
      request.getByRole('button', { name: `${name} ticket` }),
    )
    await request.getByText('Confirm the ticket before you complete it.').waitFor()
    expect(await complete!.isDisabled()).toBe(true)
    await confirm!.click()
    await request.getByText('E0001 to E0002').waitFor()
    await request.getByText('The ticket is confirmed.').waitFor()
    expect(await confirm!.isDisabled()).toBe(true)
    await complete!.click()
    await request.getByText('E0002 to E0003').waitFor()
    await request.getByText('The ticket is closed.').waitFor()
    expect([await confirm!.isDisabled(), await complete!.isDisabled()]).toEqual([true, true])
    expect(await ask(`records/inStoreRequests/${srid}`)).toMatchObject({
      status: 'E0003',
      statusReasonCode: 'COMPLETED',
    })
  })

  test('tickets can be searched by business partner number, ticket number, phone number and zip code', async () => {
    const opened = await openConsole('tickets')
    const { page, ask } = opened
    const { items } = await ask<{
      items: { srid: string; ticketNumber: string; bpNo: string; phoneNumber: string; customer: { zipCode: string } }[]
    }>('records/tickets?limit=1')
    const { srid, ticketNumber, bpNo, phoneNumber, customer } = items[0]!
    const national = phoneNumber.replace('+1', '')
    const forms = ['$1-$2-', '($1) $2-', '$1 $2 '].map((form) => national.replace(/(...)(...)/, form))
    for (const text of [
      bpNo,
      `bpNo ${bpNo}`,
      `Ticket number: ${ticketNumber}`,
      phoneNumber,
      national,
      ...forms,
      customer.zipCode,
    ]) {
      await page.getByLabel('Search').fill(text)
      await page.getByRole('row', { name: srid }).waitFor()
    }
    await page.getByLabel('Search').fill('no ticket has this')
    await page.getByText('No ticket matches.').waitFor()
    const inStore = await book(opened)
    await page.getByLabel('Search').fill(inStore)
    await page.getByRole('row', { name: inStore }).waitFor()
    await page.goto(page.url().replace(/#.*/, `#/tickets/${srid}`))
    const detail = page.getByRole('article', { name: 'Service request' })
    await detail.getByRole('link', { name: bpNo, exact: true }).waitFor()
    for (const text of [phoneNumber, customer.zipCode]) await detail.getByText(text).first().waitFor()
  })

  test('the images of a service request are displayed', async () => {
    const opened = await openConsole('tickets')
    const srid = await book(opened)
    const form = new FormData()
    form.append('imageFile', new Blob([picture], { type: 'image/png' }), 'crack.png')
    const address = `${opened.url}/stg/us/guest/serviceRequest/asset/symptomImage?srid=${srid}`
    await fetch(address, { method: 'POST', headers: asApp('splus-carol'), body: form })
    await opened.page.goto(`${opened.url}/_console#/tickets/${srid}`)
    const image = opened.page.getByRole('img', { name: 'crack.png' })
    // Waits for the image, because its element exists before the image has been decoded.
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(picture.readUInt32BE(16))
  })

  test('a sent email appears in the list, and deleting all emails requires confirmation', async () => {
    const opened = await openConsole('mail')
    const { page, ask } = opened
    await page.getByText('No message has been sent.').waitFor()
    await book(opened)
    await page.getByRole('link', { name: /Your service appointment/ }).waitFor()
    await page.getByRole('button', { name: 'Delete all mail' }).click()
    await answer(page, 'Delete 1 message?', 'Delete all mail')
    await page.getByText('No message has been sent.').waitFor()
    expect(await ask('outbox')).toMatchObject({ totalCount: 0 })
  })
})
