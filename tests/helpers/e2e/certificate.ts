import { createHash, generateKeyPairSync, sign } from 'node:crypto'

export type Certificate = {
  /** PEM. */
  key: string
  /** PEM. */
  cert: string
  /** Base64 of SHA-256 of the public key, as in Chromium's `--ignore-certificate-errors-spki-list`. */
  keyHash: string
}

/** Returns a self-signed X.509 certificate of the host names (RFC 5280), valid from yesterday to tomorrow. */
export function createCertificate(hosts: string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('Sluice tests')))))
  const day = 86_400_000
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(1),
    sequence(ecdsaWithSha256),
    name,
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + day)),
    name,
    spki,
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(...hosts.map(toDnsName)))))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey))
  const whole = sequence(signed, sequence(ecdsaWithSha256), signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    keyHash: createHash('sha256').update(spki).digest('base64'),
  }
}

/** Object identifiers: 2.5.4.3, 2.5.29.17 and 1.2.840.10045.4.3.2. */
const commonName = der(0x06, Buffer.from([0x55, 0x04, 0x03]))
const subjectAltName = der(0x06, Buffer.from([0x55, 0x1d, 0x11]))
const ecdsaWithSha256 = der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))

function toDnsName(host: string): Buffer {
  return der(0x82, Buffer.from(host))
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]))
}

/** YYMMDDhhmmssZ. */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts)
}

/** Tag, length and content (X.690), up to 64 kB. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
