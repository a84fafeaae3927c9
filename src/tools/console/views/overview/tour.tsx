import { linkTo } from '../../route.ts'

export function Tour() {
  return (
    <section class="panel" aria-label="First steps">
      <h2>First steps</h2>
      <ol class="tour">
        <li>
          <a href={linkTo('devices')}>Turn on a light</a> and see its event arrive on a stream.
        </li>
        <li>
          Go <a href={linkTo('clock')}>31 days forward</a> and watch{' '}
          <a href={linkTo('billing', 'purchase-active')}>a subscription</a> renew.
        </li>
        <li>
          <a href={linkTo('tickets')}>Look at a service center's week</a>, and confirm an appointment.
        </li>
        <li>
          Cancel an in-store request by <a href={linkTo('outbox')}>its mail</a>.
        </li>
        <li>
          Open <a href={linkTo('requests')}>a request</a>, copy it as curl, and run it.
        </li>
        <li>
          <a href={linkTo('faults')}>Make an operation fail</a>, and see how your client takes it.
        </li>
      </ol>
    </section>
  )
}
