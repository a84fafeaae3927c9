import * as z from 'zod'

const anyOf = (words: string) => z.enum(words.split(', '))
const percent = z.number().min(0).max(100)
const degrees = z.number().min(-460).max(10_000)
const amount = z.number().min(0)
const onOff = anyOf('on, off')
const machineState = anyOf('pause, run, stop')

/** Valid values. The document allows any text, and device records may contain other values. */
export const capabilities: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  airConditionerMode: {
    airConditionerMode: anyOf('auto, cool, dry, fan, fanOnly, heat, heatClean, notSupported, wind'),
  },
  airQualitySensor: { airQuality: percent },
  audioMute: { mute: anyOf('muted, unmuted') },
  audioVolume: { volume: percent },
  battery: { battery: percent },
  button: {
    button: anyOf('pushed, held, double, pushed_2x, pushed_3x, down, up'),
    numberOfButtons: amount,
  },
  carbonMonoxideDetector: { carbonMonoxide: anyOf('clear, detected, tested') },
  colorControl: { hue: percent, saturation: percent, color: z.string() },
  colorTemperature: { colorTemperature: z.number().min(1).max(30_000) },
  contactSensor: { contact: anyOf('open, closed') },
  dishwasherOperatingState: {
    machineState,
    dishwasherJobState: anyOf(
      'airwash, cooling, drying, finish, predrain, prewash, rinse, spin, unknown, wash, wrinklePrevent',
    ),
    completionTime: z.string(),
  },
  doorControl: { door: anyOf('open, closed, opening, closing, unknown') },
  dryerOperatingState: {
    machineState,
    dryerJobState: anyOf('cooling, delayWash, drying, finished, none, refreshing, weightSensing, wrinklePrevent'),
    completionTime: z.string(),
  },
  energyMeter: { energy: amount },
  fanSpeed: { fanSpeed: z.int().min(0).max(10) },
  healthCheck: { healthStatus: anyOf('online, offline') },
  illuminanceMeasurement: { illuminance: amount },
  lock: { lock: anyOf('locked, unlocked, unlocked with timeout, unknown') },
  mediaPlayback: {
    playbackStatus: anyOf('playing, paused, stopped, buffering, fast forwarding, rewinding'),
  },
  motionSensor: { motion: anyOf('active, inactive') },
  powerMeter: { power: z.number() },
  powerSource: { powerSource: anyOf('battery, dc, mains, unknown') },
  presenceSensor: { presence: anyOf('present, not present') },
  refrigeration: { defrost: onOff, rapidCooling: onOff, rapidFreezing: onOff },
  relativeHumidityMeasurement: { humidity: percent },
  smokeDetector: { smoke: anyOf('clear, detected, tested') },
  switch: { switch: onOff },
  switchLevel: { level: percent },
  tamperAlert: { tamper: anyOf('clear, detected') },
  temperatureMeasurement: { temperature: degrees },
  thermostatCoolingSetpoint: { coolingSetpoint: degrees },
  thermostatFanMode: { thermostatFanMode: anyOf('auto, circulate, followschedule, on') },
  thermostatHeatingSetpoint: { heatingSetpoint: degrees },
  thermostatMode: {
    thermostatMode: anyOf('auto, away, autowithfan, cool, eco, emergency heat, heat, off, rush hour'),
  },
  thermostatOperatingState: {
    thermostatOperatingState: anyOf('cooling, fan only, heating, idle, pending cool, pending heat, vent economizer'),
  },
  tvChannel: { tvChannel: z.string(), tvChannelName: z.string() },
  valve: { valve: anyOf('open, closed') },
  voltageMeasurement: { voltage: z.number() },
  washerOperatingState: {
    machineState,
    washerJobState: anyOf(
      'airWash, cooling, delayWash, drying, finish, none, preWash, rinse, spin, wash, weightSensing, wrinklePrevent',
    ),
    completionTime: z.string(),
  },
  waterSensor: { water: anyOf('dry, wet') },
  windowShade: { windowShade: anyOf('closed, closing, open, opening, partially open, paused, unknown') },
}
