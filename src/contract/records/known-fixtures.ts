export const knownFixtures = {
  callers: ['web-alice', 'web-bob', 'splus-carol', 'voyager-dave'],
  dealers: ['dealer-erin', 'dealer-frank', 'splus-dealer-sofia', 'voyager-dealer-victor'],
  tokens: ['token-home', 'token-guest', 'token-other', 'token-expired'],
  partners: ['partner-1001'],
  sellers: ['123456789012'],
} as const
