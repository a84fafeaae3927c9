import { describe, expect, test } from 'vitest'
import { checkCard } from '../../../../src/server/domain/wallet/cards.ts'

const place = {
  lat: 40.8543,
  lng: -74.0201,
  address: '85 Main Street, Ridgefield Park, NJ 07660',
  name: 'Ridgefield Park',
}
const short = { address: 'Main Street', name: 'Main' }
const information = { count: 1, info: [{ title: 'Opening hours', content: ['Mon to Fri 9:00 to 18:00'] }] }
const persons = {
  person: [
    { category: 'Adult', count: '2' },
    { category: 'Child', count: 1 },
  ],
}

const errorsOf = (card: unknown) => checkCard(card).errors.map(({ path, code }) => `${path} ${code}`)
const warningsOf = (card: unknown) => checkCard(card).warnings.map(({ path, code }) => `${path} ${code}`)

describe('locations', () => {
  test('errors in locations are all reported with their paths', () => {
    const locations = [place, { lat: 91, lng: '-74', name: '' }, 'here', { ...short, lat: 0, lng: 180.5 }]
    expect(errorsOf({ locations })).toEqual([
      'locations[1].lat OutOfRange',
      'locations[1].lng InvalidType',
      'locations[1].address MissingField',
      'locations[1].name MissingField',
      'locations[2] InvalidType',
      'locations[3].lng OutOfRange',
    ])
  })

  test('a card has at most 10 locations', () => {
    expect(errorsOf({ locations: Array(10).fill(short) })).toEqual([])
    expect(errorsOf({ locations: Array(11).fill(short) })).toEqual(['locations TooManyEntries'])
    expect(errorsOf({ locations: [{}, ...Array(10).fill(short)] })).toEqual([
      'locations TooManyEntries',
      'locations[0].address MissingField',
      'locations[0].name MissingField',
    ])
  })

  test('locations with more than 1,024 serialized characters cause a warning', () => {
    const sized = (length: number) => {
      const bare = JSON.stringify([
        { address: '', name: 'n' },
        ...Array(5).fill({ address: 'x'.repeat(150), name: 'n' }),
      ])
      return [
        { address: 'x'.repeat(length - bare.length), name: 'n' },
        ...Array(5).fill({ address: 'x'.repeat(150), name: 'n' }),
      ]
    }
    expect(JSON.stringify(sized(1024))).toHaveLength(1024)
    const wrong = (locations: unknown) => [errorsOf({ locations }), warningsOf({ locations })]
    expect(wrong(sized(1024))).toEqual([[], []])
    expect(wrong(sized(1025))).toEqual([[], ['locations LongText']])
    expect(wrong(JSON.stringify(sized(1024)))).toEqual([[], []])
    expect(wrong(`${JSON.stringify(sized(1024))} `)).toEqual([[], ['locations LongText']])
    const { warnings } = checkCard({ locations: sized(1025) })
    expect(warnings.map(({ source }) => source)).toEqual(['our choice: card-warnings'])
  })

  test('a location with only one coordinate, long text or an unknown field causes a warning', () => {
    const locations = [
      { ...short, lat: 1 },
      { ...short, lng: 1, latitude: 2 },
      { ...short, name: 'n'.repeat(101) },
    ]
    expect(errorsOf({ locations })).toEqual([])
    expect(warningsOf({ locations })).toEqual([
      'locations[0] LonelyCoordinate',
      'locations[1].latitude UnknownField',
      'locations[1] LonelyCoordinate',
      'locations[2].name LongText',
    ])
  })

  test('an empty coordinate of a location counts as absent', () => {
    expect(checkCard({ locations: [{ ...short, lat: null, lng: '' }] })).toEqual({ errors: [], warnings: [] })
  })
})

describe('additional information', () => {
  test('the count of additional information must equal the number of its entries', () => {
    const additionalInformation = { ...information, count: 2 }
    expect(errorsOf({ additionalInformation })).toEqual(['additionalInformation.count CountMismatch'])
  })

  test.each([
    [{}, ['count MissingField', 'info MissingField']],
    [{ count: '1', info: information.info }, ['count InvalidType']],
    [{ count: 1.5, info: [] }, ['count InvalidType']],
    [
      { count: 1, info: [{ title: '', content: 'text' }] },
      ['info[0].title MissingField', 'info[0].content InvalidType'],
    ],
    [{ count: 1, info: [{ title: 't', content: ['a', 7] }] }, ['info[0].content[1] InvalidType']],
  ])('the additional information %j is rejected', (additionalInformation, expected) => {
    expect(errorsOf({ additionalInformation })).toEqual(expected.map((finding) => `additionalInformation.${finding}`))
  })

  test('additional information that is too long to display causes a warning', () => {
    const additionalInformation = { count: 1, info: [{ title: 't'.repeat(101), content: ['a', 'c'.repeat(501)] }] }
    expect(warningsOf({ additionalInformation })).toEqual([
      'additionalInformation.info[0].title LongText',
      'additionalInformation.info[0].content[1] LongText',
    ])
  })
})

describe('classification', () => {
  test('person counts in a classification can be strings or numbers', () => {
    expect(checkCard({ classification: persons })).toEqual({ errors: [], warnings: [] })
  })

  test.each([
    [{ category: 'Adult' }, 'count MissingField'],
    [{ category: 'Adult', count: 'two' }, 'count InvalidValue'],
    [{ category: 'Adult', count: -1 }, 'count OutOfRange'],
    [{ category: 'Adult', count: 1.5 }, 'count InvalidValue'],
    [{ category: 7, count: 1 }, 'category InvalidType'],
    [{ count: 1 }, 'category MissingField'],
  ])('the person %j in a classification is rejected', (person, expected) => {
    expect(errorsOf({ classification: { person: [person] } })).toEqual([`classification.person[0].${expected}`])
  })

  test('a classification requires a list of persons', () => {
    expect(errorsOf({ classification: {} })).toEqual(['classification.person MissingField'])
  })
})
