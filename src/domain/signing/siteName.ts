/**
 * True when `text` is the origin's host, or a URL of the origin. A text that parsers could read as another host (a user's
 * name in front of it, a backslash, white space) is neither. A browser writes its origins in one way.
 */
export function isSiteName(origin: string, text: string): boolean {
  const { scheme, authority = '' } = plainName.exec(text.trim().toLowerCase())?.groups ?? {}
  const { protocol, host, port } = new URL(origin)
  if (scheme !== undefined && `${scheme}:` !== protocol) return false
  const usualPort = protocol === 'https:' ? 443 : 80
  return authority === host || (port === '' && authority === `${host}:${usualPort}`)
}

/** True when `text` is nothing but the address of a site, by host or URL, that is not the origin's. */
export function namesOtherSite(text: string, origin: string): boolean {
  const name = text.trim().toLowerCase()
  return (webUrl.test(name) || hostName.test(name)) && !isSiteName(origin, name)
}

/** True for a URI of a scheme without sites, such as `did:key:…`, `urn:…` or `ipfs://…`. */
export function isUriWithoutSite(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === 'null'
}

const plainName = /^(?:(?<scheme>[a-z][a-z\d+.-]*):\/\/)?(?<authority>[^\s/?#@\\]+)(?:[/?#][^\s@\\]*)?$/

const webUrl = /^(?:https?|wss?):\S*$|^\/\/\S+$/

/** Two labels or more, the last one of letters (or Punycode). Names of ENS (.eth) are no sites: that ending is not in DNS. */
const hostName =
  /^(?:[\p{L}\p{M}\p{N}_-]+[.\u3002\uff0e\uff61])+(?!eth\.?(?:$|[:/?#]))(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)\.?(?::\d+)?(?:[/?#]\S*)?$/u
