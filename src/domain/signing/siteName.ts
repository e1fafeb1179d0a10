/**
 * True for the origin's host or a URL of it. Rejects text that parsers may read as another host (userinfo,
 * backslash, white space).
 */
export function isSiteName(origin: string, text: string): boolean {
  const { scheme, authority = '' } = plainName.exec(text.trim().toLowerCase())?.groups ?? {}
  const { protocol, host, port } = new URL(origin)
  if (scheme !== undefined && `${scheme}:` !== protocol) return false
  const usualPort = protocol === 'https:' ? 443 : 80
  return authority === host || (port === '' && authority === `${host}:${usualPort}`)
}

/** True if `text` as a whole is another site. */
export function namesOtherSite(text: string, origin: string): boolean {
  const name = text.trim().toLowerCase()
  return (webUrl.test(name) || hostName.test(name)) && !isSiteName(origin, name)
}

/** True for a URI without a web origin: did:key:…, urn:… or ipfs://…. */
export function isUriWithoutSite(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === 'null'
}

const plainName = /^(?:(?<scheme>[a-z][a-z\d+.-]*):\/\/)?(?<authority>[^\s/?#@\\]+)(?:[/?#][^\s@\\]*)?$/

const webUrl = /^(?:https?|wss?):\S*$|^\/\/\S+$/

/** Two or more labels, the last of letters or Punycode. ENS names (.eth) are not in DNS. */
const hostName =
  /^(?:[\p{L}\p{M}\p{N}_-]+[.\u3002\uff0e\uff61])+(?!eth\.?(?:$|[:/?#]))(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)\.?(?::\d+)?(?:[/?#]\S*)?$/u
