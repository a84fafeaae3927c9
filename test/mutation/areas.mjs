/** The rules whose tests are tested: their sources, and the tests that should notice each change. */
export const areas = {
  'billing-time': {
    mutate: ['src/domain/billing/billing-periods.ts', 'src/domain/billing/purchases.ts'],
    tests: ['test/domain/billing/**'],
  },
  booking: {
    mutate: ['src/domain/appointments/{appointments,bookings,slots}.ts'],
    tests: ['test/domain/appointments/**', 'test/support/dealer/ticket-appointments.test.ts'],
  },
  'event-matching': {
    mutate: ['src/domain/events/event-matching.ts'],
    tests: ['test/domain/events/**'],
  },
  identity: {
    mutate: ['src/domain/identity.ts', 'src/support/identity.ts'],
    tests: ['test/support/identity.test.ts'],
  },
}
