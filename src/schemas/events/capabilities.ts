import { z } from 'zod'

const percent = z.number().min(0).max(100)
const degrees = z.number().min(-460).max(10_000)
const amount = z.number().min(0)
const onOff = z.enum(['on', 'off'])
const machineState = z.enum(['pause', 'run', 'stop'])

/**
 * What devices of a home report, by capability and attribute, with the values that each takes. The document lets any text
 * be a capability: this list is our choice, and a device may hold others in its record.
 */
export const capabilities: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  airConditionerMode: {
    airConditionerMode: z.enum(['auto', 'cool', 'dry', 'fan', 'fanOnly', 'heat', 'heatClean', 'notSupported', 'wind']),
  },
  airQualitySensor: { airQuality: percent },
  audioMute: { mute: z.enum(['muted', 'unmuted']) },
  audioVolume: { volume: percent },
  battery: { battery: percent },
  button: {
    button: z.enum(['pushed', 'held', 'double', 'pushed_2x', 'pushed_3x', 'down', 'up']),
    numberOfButtons: amount,
  },
  carbonMonoxideDetector: { carbonMonoxide: z.enum(['clear', 'detected', 'tested']) },
  colorControl: { hue: percent, saturation: percent, color: z.string() },
  colorTemperature: { colorTemperature: z.number().min(1).max(30_000) },
  contactSensor: { contact: z.enum(['open', 'closed']) },
  dishwasherOperatingState: {
    machineState,
    dishwasherJobState: z.enum([
      'airwash',
      'cooling',
      'drying',
      'finish',
      'predrain',
      'prewash',
      'rinse',
      'spin',
      'unknown',
      'wash',
      'wrinklePrevent',
    ]),
    completionTime: z.string(),
  },
  doorControl: { door: z.enum(['open', 'closed', 'opening', 'closing', 'unknown']) },
  dryerOperatingState: {
    machineState,
    dryerJobState: z.enum([
      'cooling',
      'delayWash',
      'drying',
      'finished',
      'none',
      'refreshing',
      'weightSensing',
      'wrinklePrevent',
    ]),
    completionTime: z.string(),
  },
  energyMeter: { energy: amount },
  fanSpeed: { fanSpeed: z.int().min(0).max(10) },
  healthCheck: { healthStatus: z.enum(['online', 'offline']) },
  illuminanceMeasurement: { illuminance: amount },
  lock: { lock: z.enum(['locked', 'unlocked', 'unlocked with timeout', 'unknown']) },
  mediaPlayback: {
    playbackStatus: z.enum(['playing', 'paused', 'stopped', 'buffering', 'fast forwarding', 'rewinding']),
  },
  motionSensor: { motion: z.enum(['active', 'inactive']) },
  powerMeter: { power: z.number() },
  powerSource: { powerSource: z.enum(['battery', 'dc', 'mains', 'unknown']) },
  presenceSensor: { presence: z.enum(['present', 'not present']) },
  refrigeration: { defrost: onOff, rapidCooling: onOff, rapidFreezing: onOff },
  relativeHumidityMeasurement: { humidity: percent },
  smokeDetector: { smoke: z.enum(['clear', 'detected', 'tested']) },
  switch: { switch: onOff },
  switchLevel: { level: percent },
  tamperAlert: { tamper: z.enum(['clear', 'detected']) },
  temperatureMeasurement: { temperature: degrees },
  thermostatCoolingSetpoint: { coolingSetpoint: degrees },
  thermostatFanMode: { thermostatFanMode: z.enum(['auto', 'circulate', 'followschedule', 'on']) },
  thermostatHeatingSetpoint: { heatingSetpoint: degrees },
  thermostatMode: {
    thermostatMode: z.enum([
      'auto',
      'away',
      'autowithfan',
      'cool',
      'eco',
      'emergency heat',
      'heat',
      'off',
      'rush hour',
    ]),
  },
  thermostatOperatingState: {
    thermostatOperatingState: z.enum([
      'cooling',
      'fan only',
      'heating',
      'idle',
      'pending cool',
      'pending heat',
      'vent economizer',
    ]),
  },
  tvChannel: { tvChannel: z.string(), tvChannelName: z.string() },
  valve: { valve: z.enum(['open', 'closed']) },
  voltageMeasurement: { voltage: z.number() },
  washerOperatingState: {
    machineState,
    washerJobState: z.enum([
      'airWash',
      'cooling',
      'delayWash',
      'drying',
      'finish',
      'none',
      'preWash',
      'rinse',
      'spin',
      'wash',
      'weightSensing',
      'wrinklePrevent',
    ]),
    completionTime: z.string(),
  },
  waterSensor: { water: z.enum(['dry', 'wet']) },
  windowShade: { windowShade: z.enum(['closed', 'closing', 'open', 'opening', 'partially open', 'paused', 'unknown']) },
}
