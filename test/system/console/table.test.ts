import { describe, expect, test } from 'vitest'
import { openConsole, useBrowser } from '../../helpers/console.ts'

const ROWS = 1998

describe('tables of the console', () => {
  useBrowser()

  /** Adds the sellers 100000 to 101997. In lists, they come between the two sellers of the fixtures. */
  async function openSellers() {
    const opened = await openConsole('overview')
    const { store } = opened.worlds.find(opened.world)!
    await store.transaction(async (tx) => {
      for (let i = 0; i < ROWS; i++) await tx.sellers.put({ secret: String(100_000 + i), name: `seller ${i}` })
    })
    const { page, url } = opened
    await page.goto(`${url}/_console#/data/sellers`)
    const table = page.getByRole('table', { name: 'Records' })
    await table.getByRole('link').first().waitFor()
    return { ...opened, table, rows: table.getByRole('rowheader') }
  }

  test('a table of 2,000 records renders only the visible rows, each 30 pixels high', async () => {
    const { page, table, rows } = await openSellers()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(2001))
    expect(await rows.count()).toBeLessThan(100)
    expect((await page.getByRole('row').nth(5).boundingBox())!.height).toBe(30)
    const box = page.getByRole('region', { name: 'Records: rows' })
    await expect
      .poll(async () => {
        await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return (await rows.allInnerTexts()).slice(-2)
      })
      .toEqual(['101997', '123456789012'])
    expect(await rows.count()).toBeLessThan(100)
    const head = (await table.getByRole('columnheader').first().boundingBox())!
    expect(head.y).toBeCloseTo((await box.boundingBox())!.y + 1, 0)
  })

  test('a table says whether it has no rows or no row matches', async () => {
    const { page, url, ask } = await openConsole('tokens')
    await page.getByRole('textbox', { name: 'Search' }).fill('no such user')
    await page.getByText('No token matches.').waitFor()
    const { items } = await ask<{ items: { tokenDigest: string }[] }>('records/accessTokens')
    for (const { tokenDigest } of items) {
      await fetch(`${url}/_control/records/accessTokens/${tokenDigest}`, { method: 'DELETE' })
    }
    await page.getByRole('textbox', { name: 'Search' }).fill('')
    await page.getByText('There are no tokens.').waitFor()
  })

  test('a search shows the number of matches, and a column header changes the order', async () => {
    const { page, rows } = await openSellers()
    await page.getByRole('textbox', { name: 'Search' }).fill('0199')
    await page.getByRole('status').getByText('9 records', { exact: true }).waitFor()
    const order = ['100199', '101990', '101991']
    await expect.poll(async () => (await rows.allInnerTexts()).slice(0, 3)).toEqual(order)
    const head = page.getByRole('columnheader', { name: 'secret' })
    await head.getByRole('button').click()
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    await head.getByRole('button').click()
    expect(await head.getAttribute('aria-sort')).toBe('descending')
    expect((await rows.allInnerTexts())[0]).toBe('101997')
    await head.getByRole('button').click()
    expect(await head.getAttribute('aria-sort')).toBeNull()
    expect((await rows.allInnerTexts()).slice(0, 3)).toEqual(order)
    await page.getByRole('textbox', { name: 'Search' }).fill('none of them')
    await page.getByText('No record contains this text.').waitFor()
  })

  test('j and k move the focus beyond the visible rows, and Enter opens a row', async () => {
    const { page } = await openSellers()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.keyboard.press('j')
    const first = await focused()
    for (let i = 0; i < 60; i++) await page.keyboard.press('j')
    expect(await focused()).toMatch(/^1000\d\d$/)
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'Record' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('article', { name: 'Record' }).waitFor({ state: 'detached' })
    // A key has no effect while the next row is not rendered yet.
    const pressed = async () => {
      await page.keyboard.press('k')
      return focused()
    }
    await expect.poll(pressed, { interval: 10, timeout: 10_000 }).toBe(first)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.placeholder')).toContain('any text')
  })

  test('tickets without an appointment come last in both directions', async () => {
    const { page } = await openConsole('tickets')
    const head = page.getByRole('columnheader', { name: 'Appointment' })
    const first = page.getByRole('table', { name: 'Service requests' }).getByRole('row').nth(1).getByRole('cell').last()
    for (const _ of ['ascending', 'descending']) {
      await head.getByRole('button').click()
      expect(await first.innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
    }
  })

  test('a search finds a customer by last name and first name, with any spaces', async () => {
    const { page, ask } = await openConsole('tickets')
    const { items } = await ask<{ items: { customer: Record<string, string> }[] }>('records/tickets?limit=1')
    const { firstName, lastName } = items[0]!.customer
    const links = page.getByRole('table', { name: 'Service requests' }).getByRole('link')
    for (const text of [`${lastName}, ${firstName}`, `${lastName},${firstName}`, ` ${firstName}  ${lastName} `]) {
      await page.getByRole('textbox', { name: 'Search' }).fill(text)
      await expect.poll(async () => [...new Set(await links.allInnerTexts())]).toEqual([`${firstName} ${lastName}`])
    }
  })

  test.each([
    ['jose nunez', 'José Núñez'],
    ['siobhan o’connor', "Siobhán O'Connor"],
    ["renee d'angelo", "Renée D'Angelo"],
    ['Nguyen Thi Mai', 'Thị Mai Nguyễn'],
    ['nunez 11212 completed', 'José Núñez'],
  ])('a search for %s finds %s in the list of tickets', async (text, name) => {
    const { page } = await openConsole('tickets')
    await page.getByRole('textbox', { name: 'Search' }).fill(text)
    const links = page.getByRole('table', { name: 'Service requests' }).getByRole('link')
    await expect.poll(async () => [...new Set(await links.allInnerTexts())]).toEqual([name])
  })

  test('a token can be limited to one home, which the list shows', async () => {
    const { page, ask } = await openConsole('tokens')
    await page.getByLabel('Homes').selectOption('Lake cabin')
    await page.getByRole('button', { name: 'Issue token' }).click()
    await page.getByRole('table', { name: 'Tokens' }).getByRole('cell', { name: 'Lake cabin', exact: true }).waitFor()
    const { items } = await ask<{ items: { locations: string[] }[] }>('records/accessTokens')
    expect(items.filter(({ locations }) => locations.length === 1).length).toBeGreaterThan(0)
    const users = await page.getByRole('table', { name: 'Tokens' }).getByRole('rowheader').allInnerTexts()
    expect(users).toEqual(users.toSorted())
  })

  test('the list of tokens distinguishes two tokens of one user', async () => {
    const { page } = await openConsole('tokens')
    const list = page.getByRole('table', { name: 'Tokens' })
    const shown = new Set<string>()
    for (const number of [1, 2]) {
      await page.getByRole('button', { name: 'Issue token' }).click()
      const name = page.getByText('The list shows it as').locator('code')
      await expect.poll(async () => shown.add(await name.innerText()).size).toBe(number)
    }
    for (const name of shown) await list.getByRole('cell', { name, exact: true }).waitFor()
  })

  test('a search for a customer finds their tickets, and a click anywhere opens one', async () => {
    const { page, ask } = await openConsole('tickets')
    const { items } = await ask<{ items: { srid: string; customer: { email: string } }[] }>('records/tickets?limit=1')
    await page.getByRole('textbox', { name: 'Search' }).fill(items[0]!.customer.email.toUpperCase())
    const table = page.getByRole('table', { name: 'Service requests' })
    expect(Number(await table.getAttribute('aria-rowcount'))).toBe(await table.getByRole('row').count())
    // The row's link covers this cell, so a click on the cell follows the link.
    await page.getByRole('cell', { name: items[0]!.srid }).click({ force: true })
    await page.getByRole('article', { name: 'Service request' }).getByText(items[0]!.srid).first().waitFor()
  })
})
