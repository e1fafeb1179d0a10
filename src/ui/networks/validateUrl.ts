import { t } from '../../i18n/translate.ts'

const ownMachine = new Set(['127.0.0.1', 'localhost'])

/** Why a typed URL cannot be used. Empty is fine: it means nobody. Only this machine may be asked without encryption. */
export function validateUrl(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const url = URL.canParse(typed) && !/\s/.test(typed) ? new URL(typed) : undefined
  if (url === undefined) return t('Not a URL. It should look like https://host/path.')
  if (url.username !== '' || url.password !== '') return t('Leave names and passwords out of the URL.')
  if (url.search !== '' || url.hash !== '') return t('Leave out what stands behind ? and #.')
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') {
    return ownMachine.has(url.hostname)
      ? undefined
      : t('Use https: only this computer may be asked over http.')
  }
  return t('Start with https://.')
}
