import { type InterfaceName, interfaceNames } from './find-operation.ts'
import { findNearest } from '../records/nearest.ts'

export interface NamedHost {
  host: string
  interfaces: readonly InterfaceName[]
}

const NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
const ADDRESS = /^[\d.]+$/

/** Parses `HOST` (all APIs) or `HOST=support,billing` (only these APIs). Throws a RangeError. */
export function readNamedHost(given: string): NamedHost {
  const [name = '', list] = given.split('=', 2)
  const host = name.toLowerCase()
  if (!NAME.test(host) || ADDRESS.test(host)) {
    throw new RangeError(`${name} is not a host name such as support.vendor.example. Omit the port`)
  }
  const interfaces = list === undefined ? interfaceNames : list.split(',').map(readInterface)
  return { host, interfaces }
}

function readInterface(given: string): InterfaceName {
  const name = interfaceNames.find((each) => each === given)
  if (name) return name
  const nearest = findNearest(given, interfaceNames)
  throw new RangeError(`${given} is none of ${interfaceNames.join(', ')}${nearest ? `; did you mean ${nearest}?` : ''}`)
}
