import { defineChoices } from './choice.ts'

export const symptomsAndGuidesChoices = defineChoices('Symptoms and guides', 'document 1', {
  'symptom-levels': {
    operations: [18, 27],
    silence: '18, 27',
    choice:
      'the lowest absent level is answered; all given: `symptoms: []`, `troubleshootingAvailable: true`; ' +
      'an unknown code 404; an unknown language E',
  },
  'guide-choice': {
    operations: [21, 29],
    silence: '21, 29: which guide',
    choice:
      "the symptom's by `symCode3`; by `symCode1` or `symCode2` alone what helps with each symptom below; " +
      "else the model's",
  },
  'guide-branches': {
    operations: [21, 29],
    silence: '21, 29: codes with a level left out between them',
    choice: 'taken (each is optional), of one branch only, else 404',
  },
  'guide-level-four': {
    operations: [21, 29],
    silence: '21, 29: `symCode4`',
    choice:
      'checked like the other three and tracked; alone it names the guide of the symptom above it; its ' +
      'codes stand in the guide of the symptom of level 3, under "Parts" (18 and 27 answer three levels); ' +
      'TV111, TV121 and WM111 have some',
  },
  'guide-form': {
    operations: [21, 29],
    silence: '21, 29: form',
    choice: 'a JSON string; plain text or HTML when `Accept` prefers it',
  },
  'guide-tracking': {
    operations: [21, 29],
    silence: 'tracking',
    choice: "one entry of `articleTrackings` a call; not for an unknown srid, on 21 not for another company's",
  },
})

export const zipCodesChoices = defineChoices('Zip codes', 'document 1', {
  'zip-codes': {
    operations: [30],
    silence: 'which',
    choice: 'all of the US, about 41,500 (GeoNames, CC BY 4.0); `county` may be empty in the territories',
    why: 'distances and addresses must be plausible',
  },
  'zip-code-form': {
    operations: [30],
    silence: 'absent or not 5 digits; not in use',
    choice: '400; 404',
  },
})
