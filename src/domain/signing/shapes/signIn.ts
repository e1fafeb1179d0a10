import type { Address } from '../../token/token.ts'
import { hasOnlyDigests, isDigestText } from '../digest.ts'
import { encodeType } from '../encodeType.ts'
import { type LeafField, leafFields, type SignedField } from '../signedFields.ts'
import { isSiteName, isUriWithoutSite, namesOtherSite } from '../siteName.ts'
import { parseSiwe } from '../siwe.ts'
import type { TypedData } from '../typedData.ts'

/**
 * True when only allow-listed fields of a login or statement are signed, without verifying contract or salt.
 * Any other field (amount, destination, packed bytes) may be an order or withdrawal for an off-chain service
 * or a contract with a looser domain; another address may be a delegate.
 */
export function isSignIn(typedData: TypedData, fields: SignedField[], account: Address): boolean {
  const { domain, types, primaryType, hasUnsignedDomain } = typedData
  if (hasUnsignedDomain || domain.verifyingContract !== undefined || domain.salt !== undefined) return false
  if (isVote(typedData)) return true
  const leaves = leafFields(fields)
  const names = encodeType(types, primaryType).match(/[\w$:]+(?=\()/g) ?? []
  return (
    leaves.length > 0 &&
    !hasOnlyDigests(fields) &&
    isSignInName(primaryType) &&
    names.every(isPlainName) &&
    leaves.every((field) => isHarmlessField(field, account))
  )
}

const signInWord =
  /log(in|on)|sign(in|up|on)|auth|challenge|message|verif|statement|terms|consent|agree|welcome|regist|profile|ownership|proof/

/** No word is composed of others, so parsing is unambiguous. */
const plainName = new RegExp(
  '^(?:log|sign|in|on|up|auth|authentication|challenge|message|verify|verification|statement|terms|consent|agree|' +
    'agreement|welcome|register|registration|profile|ownership|proof|accept|acceptance|account|address|app|clob|' +
    'conditions|content|contents|dapp|data|details|eip|email|info|metadata|of|person|personal|policy|privacy|request|' +
    'response|service|site|to|tos|typed|use|user|username|v|wallet|web|[0-9])+$',
)

/** Other words may name an action, such as SpendMessage. */
function isPlainName(name: string): boolean {
  return plainName.test(toWords(name))
}

function isSignInName(name: string): boolean {
  return signInWord.test(toWords(name)) && isPlainName(name)
}

function toWords(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

const sites = new Set('domain uri url origin website site host'.split(' '))

/**
 * True if a site field, any other text or the domain names another site than `origin`. User names and votes
 * are exempt.
 */
export function isForOtherSite(typedData: TypedData, fields: SignedField[], origin: string): boolean {
  if (isVote(typedData)) return false
  const { name = '', version = '' } = typedData.domain
  const leaves = leafFields(fields).filter(({ type }) => type === 'string')
  // did:key:… is accepted if another field binds the site.
  const isBound = leaves.some((field) => sites.has(fieldKey(field)) && isSiteName(origin, field.value))
  return (
    [name, version].some((text) => namesOtherSite(text, origin)) ||
    leaves.some((field) => {
      const key = fieldKey(field)
      if (key === 'username') return false
      if (key === 'uri' && isBound && isUriWithoutSite(field.value)) return false
      return sites.has(key) ? !isSiteName(origin, field.value) : namesOtherSite(field.value, origin)
    })
  )
}

function fieldKey({ name }: LeafField): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** Lower case, without underscores. */
const addresses = new Set('account address wallet walletaddress user useraddress signer from'.split(' '))
const numbers = new Set(
  (
    'nonce timestamp time date issuedat signedat createdat expiration expirationtime expiresat expiry notbefore ' +
    'version chainid'
  ).split(' '),
)
/** Random: 32 bytes are common. */
const tokens = new Set('nonce challenge sessionid requestid'.split(' '))
const texts = new Set([
  ...addresses,
  ...numbers,
  ...tokens,
  ...sites,
  ...(
    'name username email message contents content text title body description statement note notice warning purpose ' +
    'reason terms tos app application appname service datetime chain network resources'
  ).split(' '),
])

/** Other words may name what is accepted, such as `acceptOffer`. */
const consent =
  /^(?:agree|accept)(?:d|ed|s|to|the|all|our|of|and|use|site|service|terms|tos|conditions|privacy|policy|cookies|rules|disclaimer)*$/

function isHarmlessField(field: LeafField, account: Address): boolean {
  const { type, value, isListed } = field
  const key = fieldKey(field)
  if (type === 'address') return addresses.has(key) && value === account
  if (type === 'bool') return texts.has(key) || consent.test(key)
  // Larger integers and lists may be digests or packed data.
  if (/^u?int/.test(type))
    return !isListed && numbers.has(key) && BigInt.asUintN(64, BigInt(value)) === BigInt(value)
  if (type !== 'string' || !texts.has(key)) return false
  if (addresses.has(key)) return value.trim().toLowerCase() === account
  // EIP-4361 text is checked only in messages.
  if (parseSiwe(value) !== undefined) return false
  if (/^0x[0-9a-f]{40}$/i.test(value.trim())) return value.trim().toLowerCase() === account
  return tokens.has(key) || !isDigestText(value)
}

// github.com/snapshot-labs/snapshot.js: src/sign/types.ts. `choice` may be encrypted.
const choices = ['uint32', 'uint32[]', 'string']

function isVote({ domain, types, primaryType }: TypedData): boolean {
  const type = encodeType(types, primaryType)
  return (
    domain.name === 'snapshot' &&
    choices.some((choice) =>
      ['bytes32', 'string'].some(
        (proposal) =>
          type ===
          `Vote(address from,string space,uint64 timestamp,${proposal} proposal,${choice} choice,` +
            'string reason,string app,string metadata)',
      ),
    )
  )
}
