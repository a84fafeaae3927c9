import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newPage, useBrowser } from '../../helpers/console.ts'
import { LIGHT, startEvents } from '../../helpers/documents/events.ts'

const client = (url: string) => `<ol></ol><script>
  const source = new EventSource('${url}')
  const list = document.querySelector('ol')
  const show = (text) => list.append(Object.assign(document.createElement('li'), { textContent: text }))
  source.addEventListener('CONTROL_EVENT', ({ data }) => show(data))
  source.addEventListener('DEVICE_EVENT', ({ data }) => show(JSON.parse(data).deviceEvent.value))
</script>`

describe('EventSource of a browser with a registration URL', () => {
  useBrowser()

  const linesOf = (page: Page) => page.locator('li').allInnerTexts()
  const stateOf = (page: Page) => page.evaluate<number>('source.readyState')

  test('the client receives all events without losses or duplicates after a dropped connection', async () => {
    const server = await startEvents({ streamRetryMs: 50 })
    const { registrationUrl, subscriptionId } = await server.subscribe()
    const page = await newPage()
    await page.setContent(client(registrationUrl))
    await page.getByText('welcome').waitFor()
    await server.emit(LIGHT, 'one')
    await page.getByText('one').waitFor()

    const chaos = `/_control/streams/${subscriptionId}/chaos`
    const dropped = await server.app.inject({ method: 'POST', url: chaos, payload: { action: 'drop' } })
    expect(dropped.statusCode).toBe(204)
    await server.emit(LIGHT, 'two')
    await server.emit(LIGHT, 'three')
    await page.getByText('three').waitFor()
    await server.emit(LIGHT, 'four')
    await page.getByText('four').waitFor()
    expect(await linesOf(page)).toEqual(['welcome', 'one', 'welcome', 'two', 'three', 'four'])
  })

  test('a client in a second tab replaces the stream of the first tab', async () => {
    const server = await startEvents({ streamRetryMs: 50 })
    const { registrationUrl } = await server.subscribe()
    const [first, second] = [await newPage(), await newPage()]
    await first.setContent(client(registrationUrl))
    await first.getByText('welcome').waitFor()
    await second.setContent(client(registrationUrl))
    await second.getByText('welcome').waitFor()

    await first.waitForFunction('source.readyState === EventSource.CLOSED')
    await server.emit(LIGHT, 'only once')
    await second.getByText('only once').waitFor()
    expect(await linesOf(first)).toEqual(['welcome'])
    expect(await stateOf(second)).toBe(1)
  })
})
