import { readPacked } from '../../i18n/loadCatalogue.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'
import { Logo } from '../components/Logo.tsx'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'

type Licence = { names: string[]; text: string }

export function About() {
  const { browserApi } = useStores()
  const { value: licences, error } = useQuery(readLicences, [])
  return (
    <>
      <div class="about">
        <Logo size={56} />
        <p>
          <strong>Sluice</strong> <span class="num">{browserApi.version}</span>
        </p>
        <p class="dim">
          {t(
            'A self-custodial wallet for swapping tokens. Your keys stay on this device, and no usage data is collected.',
          )}
        </p>
      </div>
      <h2 class="part">{t('Licenses')}</h2>
      {error && <p class="nothing">{t('Couldn’t load the licenses.')}</p>}
      {licences && (
        <div class="panel group">
          {licences.map(({ names, text }) => (
            <details key={names[0]}>
              <summary class="list-row">
                <span class="grow">{names.join(', ')}</span>
                <Icon name="down" size={16} />
              </summary>
              <pre class="report" dir="ltr">
                {text}
              </pre>
            </details>
          ))}
        </div>
      )}
    </>
  )
}

async function readLicences(): Promise<Licence[]> {
  return JSON.parse(await readPacked('/licences.gz'))
}
