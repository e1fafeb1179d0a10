import { t } from '../../../i18n/translate.ts'
import { isForeign, splitOrigin } from '../../format/origin.ts'
import { SiteMark } from './SiteMark.tsx'

/** Full origin as the browser reports it. */
export function SiteOrigin({ origin, id }: { origin: string; id?: string }) {
  const { scheme, host, port } = splitOrigin(origin)
  return (
    <div id={id} class="origin">
      <SiteMark origin={origin} />
      <p class="origin-host" dir="ltr" translate={false}>
        {scheme !== 'https' && scheme !== '' && <span class="origin-scheme">{scheme}://</span>}
        {host}
        {port !== '' && <span class="dim origin-port">:{port}</span>}
      </p>
      {isForeign(host) && <span class="tag">{t('Possible look-alike characters')}</span>}
    </div>
  )
}
