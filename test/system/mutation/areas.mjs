/**
 * The rules whose tests are evaluated. For each area, lists the sources to change and the tests that should fail after
 * each change.
 */
export const areas = {
  'billing-time': {
    mutate: ['src/server/domain/billing/billing-periods.ts', 'src/server/domain/billing/purchases.ts'],
    tests: ['test/server/domain/billing/**'],
  },
  booking: {
    mutate: ['src/server/domain/appointments/{appointments,bookings,slots}.ts'],
    tests: ['test/server/domain/appointments/**', 'test/server/support/dealer/ticket-appointments.test.ts'],
  },
  'event-matching': {
    mutate: ['src/server/domain/events/event-matching.ts'],
    tests: ['test/server/domain/events/**'],
  },
  identity: {
    mutate: ['src/server/domain/identity.ts', 'src/server/support/identity.ts'],
    tests: ['test/server/support/identity.test.ts'],
  },
}
