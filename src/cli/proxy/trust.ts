/** Each line suits one way to run a client; `proxy` is its address. */
export function describeTrust(file: string, proxy: string): string {
  const path = `'${file.replaceAll("'", `'\\''`)}'`
  const lines: readonly (readonly [string, string])[] = [
    ['curl', `curl --proxy ${proxy} --cacert ${path} https://...`],
    ['Node 24', `NODE_USE_ENV_PROXY=1 HTTPS_PROXY=${proxy} NODE_EXTRA_CA_CERTS=${path} node client.js`],
    ['Java', `keytool -importcert -noprompt -alias vendor-cloud -file ${path} -keystore trust.p12 -storepass changeit`],
    [
      '',
      `java -Dhttps.proxyHost=... -Dhttps.proxyPort=... -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit Client`,
    ],
    ['Python', `HTTPS_PROXY=${proxy} SSL_CERT_FILE=${path} REQUESTS_CA_BUNDLE=${path} python3 client.py`],
    ['Go', `HTTPS_PROXY=${proxy} SSL_CERT_FILE=${path} ./client`],
  ]
  return lines.map(([name, line]) => `# ${name.padEnd(8)} ${line}\n`).join('')
}
