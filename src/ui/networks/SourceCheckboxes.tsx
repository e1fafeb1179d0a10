import { t } from '../../i18n/translate.ts'
import { ErrorWhat } from '../components/alerts/ErrorWhat.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Disclosure } from '../components/Disclosure.tsx'
import { formatSource } from '../format/address.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'

type Props = { title: string; chainId: number; ticked: string[]; onTick(ids: string[]): void }

/** Keeps checked sources listed if the service does not answer. */
export function SourceCheckboxes({ title, ...props }: Props) {
  const { ticked } = props
  return (
    <Disclosure title={ticked.length === 0 ? title : `${title}: ${ticked.length}`}>
      <Sources {...props} />
    </Disclosure>
  )
}

function Sources({ chainId, ticked, onTick }: Omit<Props, 'title'>) {
  const { settings } = useStores()
  const { status, value: listed = [], error } = useQuery(() => settings.sources(chainId), [settings, chainId])
  const lost = ticked.filter((id) => listed.every((source) => source.id !== id))
  const sources = [...lost.map((id) => ({ id, title: formatSource(id) })), ...listed]
  return (
    <>
      {status === 'asking' && <p class="line">{t('Loading sources…')}</p>}
      {error && (
        <Warning>
          <ErrorWhat error={error} /> {t('Couldn’t load the liquidity sources.')}
        </Warning>
      )}
      <ul class="sources">
        {sources.map(({ id, title }) => (
          <li key={id}>
            <label class="list-row">
              <input
                type="checkbox"
                checked={ticked.includes(id)}
                onChange={(event) =>
                  onTick(event.currentTarget.checked ? [...ticked, id] : ticked.filter((one) => one !== id))
                }
              />
              <span class="grow" title={id}>
                {title}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </>
  )
}
