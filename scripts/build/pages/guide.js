const MOST_HITS = 15
/** Number of characters displayed before and after the first match. */
const BEFORE = 40
const AFTER = 90

const base = document.currentScript.src
const side = document.querySelector('.side')
const input = document.getElementById('search')
const hits = document.getElementById('hits')
let sections

// On a phone, the navigation would fill the screen above the page.
if (matchMedia('(max-width: 800px)').matches) side.open = false

input.addEventListener('input', async () => {
  sections ??= fetch(new URL('search.json', base)).then((response) => response.json())
  const found = find(await sections, input.value.toLowerCase().split(/\s+/).filter(Boolean))
  hits.replaceChildren(...found)
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /INPUT|TEXTAREA/.test(event.target.tagName)) return
  event.preventDefault()
  side.open = true
  input.focus()
})

function find(all, words) {
  if (words.length === 0) return []
  const rated = all.map((section) => ({ section, rating: rate(section, words) })).filter(({ rating }) => rating > 0)
  const best = rated.toSorted((a, b) => b.rating - a.rating).slice(0, MOST_HITS)
  if (best.length === 0) return [item('Nothing found')]
  return best.map(({ section }) => writeHit(section, words))
}

/** Returns 0 unless every word occurs. Words in a heading count most. */
function rate({ page, heading, text }, words) {
  const places = [heading, page, text].map((each) => each.toLowerCase())
  const ratings = words.map((word) =>
    [8, 3, 1].reduce((sum, weight, i) => sum + (places[i].includes(word) ? weight : 0), 0),
  )
  return ratings.includes(0) ? 0 : ratings.reduce((sum, each) => sum + each, 0)
}

function writeHit({ page, heading, address, text }, words) {
  const link = document.createElement('a')
  link.href = new URL(address, base)
  link.textContent = heading === page ? page : `${page}: ${heading}`
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)))
  const start = at > BEFORE ? text.indexOf(' ', at - BEFORE) + 1 : 0
  const end = text.length > at + AFTER ? text.lastIndexOf(' ', at + AFTER) : text.length
  const excerpt = document.createElement('p')
  excerpt.textContent = `${start > 0 ? '… ' : ''}${text.slice(start, Math.max(start, end))}${end < text.length ? ' …' : ''}`
  return item(link, excerpt)
}

function item(...content) {
  const li = document.createElement('li')
  li.append(...content)
  return li
}
