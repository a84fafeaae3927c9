import findZoneAt from '@photostructure/tz-lookup'

export interface Place {
  zipCode: string
  state: string
  county: string
  latitude: number
  longitude: number
}

/**
 * US time zones follow county lines (49 CFR part 71), so the county decides; coordinates alone would put border towns
 * into the next state. Coordinates decide only where a zone line crosses a county, in Alaska, and for military mail.
 */
export function findTimeZone(place: Place): string {
  const exception = byZipCode[place.zipCode]
  if (exception) return exception
  const zone = zoneOfState[place.state]
  if (!zone) return findZoneAt(place.latitude, place.longitude)
  const rules = byCounty[place.state] ?? {}
  for (const [other, counties] of Object.entries(rules)) {
    if (counties.includes(place.county)) return other
  }
  if (!crossed.has(place.state) && !crossed.has(`${place.state} ${place.county}`)) return zone
  const found = findZoneAt(place.latitude, place.longitude)
  return found === zone || found in rules ? found : zone
}

/** States and counties that a zone line crosses. */
const crossed = new Set([
  'AK',
  'FM',
  'AZ Apache',
  'AZ Coconino',
  'AZ Navajo',
  'ND McKenzie',
  'ND Sioux',
  'NE Cherry',
  'SD Stanley',
])

/** Zip codes across a zone line from the rest of their county or state. */
const byZipCode: Record<string, string> = {
  // Idaho county, south of the Salmon river.
  ...inZone('America/Boise', '83547 83549'),
  // Gulf county, south of the Intracoastal Waterway.
  ...inZone('America/New_York', '32456 32457'),
  // West Wendover, by law with its half in Utah.
  ...inZone('America/Denver', '89883'),
  // Only the Navajo Nation has summer time in Arizona: not the Hopi towns inside it, nor the places along its border.
  ...inZone('America/Phoenix', '86022 86028 86030 86034 86036 86039 86042 86043'),
  ...inZone('America/Denver', '86031'),
  // Nikolski, east of 169.5 degrees west.
  ...inZone('America/Nome', '99638'),
  ...inZone('America/Metlakatla', '99926'),
  ...inZone('Pacific/Wake', '96898'),
  ...inZone('Pacific/Kwajalein', '96970'),
}

/** The zone of most of the state. The armed forces regions have none. */
const zoneOfState: Record<string, string> = {
  ...inZone('America/New_York', 'CT DC DE FL GA KY MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'),
  ...inZone('America/Chicago', 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
  ...inZone('America/Denver', 'CO MT NM UT WY'),
  ...inZone('America/Los_Angeles', 'CA NV OR WA'),
  AK: 'America/Anchorage',
  AZ: 'America/Phoenix',
  HI: 'Pacific/Honolulu',
  ID: 'America/Boise',
  IN: 'America/Indiana/Indianapolis',
  MI: 'America/Detroit',
  AS: 'Pacific/Pago_Pago',
  FM: 'Pacific/Pohnpei',
  GU: 'Pacific/Guam',
  MH: 'Pacific/Majuro',
  MP: 'Pacific/Saipan',
  PR: 'America/Puerto_Rico',
  PW: 'Pacific/Palau',
  VI: 'America/St_Thomas',
}

/** Counties outside their state's zone; a zone without counties may come out of the coordinates. */
const byCounty: Record<string, Record<string, string[]>> = {
  AK: {
    'America/Adak': [],
    'America/Juneau': [],
    'America/Nome': [],
    'America/Sitka': [],
    'America/Yakutat': [],
  },
  AZ: { 'America/Denver': [] },
  FL: {
    'America/Chicago': list(`Bay, Calhoun, Escambia, Gulf, Holmes, Jackson, Okaloosa, Santa Rosa, Walton, Washington`),
  },
  FM: { 'Pacific/Chuuk': [], 'Pacific/Kosrae': [] },
  ID: {
    'America/Los_Angeles': list(
      `Benewah, Bonner, Boundary, Clearwater, Idaho, Kootenai, Latah, Lewis, Nez Perce, Shoshone`,
    ),
  },
  IN: {
    'America/Chicago': list(`Gibson, Jasper, Lake, LaPorte, Newton, Porter, Posey, Spencer, Vanderburgh, Warrick`),
    'America/Indiana/Knox': ['Starke'],
    'America/Indiana/Marengo': ['Crawford'],
    'America/Indiana/Petersburg': ['Pike'],
    'America/Indiana/Tell_City': ['Perry'],
    'America/Indiana/Vevay': ['Switzerland'],
    'America/Indiana/Vincennes': list(`Daviess, Dubois, Knox, Martin`),
    'America/Indiana/Winamac': ['Pulaski'],
    'America/Kentucky/Louisville': list(`Clark, Floyd, Harrison`),
  },
  KS: { 'America/Denver': list(`Greeley, Hamilton, Sherman, Wallace`) },
  KY: {
    'America/Chicago': list(`
      Adair, Allen, Ballard, Barren, Breckinridge, Butler, Caldwell, Calloway, Carlisle, Christian, Clinton, Crittenden,
      Cumberland, Daviess, Edmonson, Fulton, Graves, Grayson, Green, Hancock, Hart, Henderson, Hickman, Hopkins,
      Livingston, Logan, Lyon, Marshall, McCracken, McLean, Metcalfe, Monroe, Muhlenberg, Ohio, Russell, Simpson, Todd,
      Trigg, Union, Warren, Webster`),
    'America/Kentucky/Louisville': ['Jefferson'],
    'America/Kentucky/Monticello': ['Wayne'],
  },
  MI: { 'America/Menominee': list(`Dickinson, Gogebic, Iron, Menominee`) },
  ND: {
    'America/Denver': list(`Adams, Billings, Bowman, Dunn, Golden Valley, Grant, Hettinger, Slope, Stark`),
    'America/North_Dakota/Beulah': ['Mercer'],
    'America/North_Dakota/Center': ['Oliver'],
    'America/North_Dakota/New_Salem': ['Morton'],
  },
  NE: {
    'America/Denver': list(`
      Arthur, Banner, Box Butte, Chase, Cheyenne, Dawes, Deuel, Dundy, Garden, Grant, Hooker, Keith, Kimball, Morrill,
      Perkins, Scotts Bluff, Sheridan, Sioux`),
  },
  OR: { 'America/Boise': ['Malheur'] },
  SD: {
    'America/Denver': list(`
      Bennett, Butte, Corson, Custer, Dewey, Fall River, Haakon, Harding, Jackson, Lawrence, Meade,
      Oglala Lakota County, Pennington, Perkins, Shannon, Ziebach`),
  },
  TN: {
    'America/New_York': list(`
      Anderson, Blount, Bradley, Campbell, Carter, Claiborne, Cocke, Grainger, Greene, Hamblen, Hamilton, Hancock,
      Hawkins, Jefferson, Johnson, Knox, Loudon, McMinn, Meigs, Monroe, Morgan, Polk, Rhea, Roane, Scott, Sevier,
      Sullivan, Unicoi, Union, Washington`),
  },
  TX: { 'America/Denver': list(`El Paso, Hudspeth`) },
}

function inZone(zone: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, zone]))
}

function list(names: string): string[] {
  return names.split(',').map((name) => name.trim())
}
