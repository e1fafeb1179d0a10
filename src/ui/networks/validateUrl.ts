import { t } from '../../i18n/translate.ts'

const ownMachine = new Set(['127.0.0.1', 'localhost'])

/** Returns a URL's error. Empty is valid; http only for localhost. */
export function validateUrl(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const url = URL.canParse(typed) && !/\s/.test(typed) ? new URL(typed) : undefined
  if (url === undefined) return t('Enter a valid URL, such as https://host/path')
  if (url.username !== '' || url.password !== '') return t('Remove the username and password from the URL')
  if (url.search !== '' || url.hash !== '') return t('Remove everything after ? or # from the URL')
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') {
    return ownMachine.has(url.hostname)
      ? undefined
      : t('Use https. http is only allowed for this computer (localhost).')
  }
  return t('URL must start with https://')
}
