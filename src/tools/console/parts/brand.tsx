export function Brand() {
  return (
    <>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--primary)" />
        <path d="M8 11l8 11 8-11" fill="none" stroke="var(--primary-foreground)" stroke-width="3.5" />
        <circle cx="16" cy="9" r="2.2" fill="var(--primary-foreground)" />
      </svg>
      <span>vendor-cloud</span>
    </>
  )
}
