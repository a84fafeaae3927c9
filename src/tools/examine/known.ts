export const known = {
  VENDOR_CLOUD_PROF_ID: 'web-alice',
  VENDOR_CLOUD_GUID: 'splus-carol',
  VENDOR_CLOUD_DEALER: 'dealer-erin',
  VENDOR_CLOUD_TOKEN: 'token-home',
  VENDOR_CLOUD_PARTNER_CODE: 'partner-1001',
  VENDOR_CLOUD_SELLER_SECRET: '123456789012',
  VENDOR_CLOUD_PURCHASE_ID: 'purchase-active',
}
