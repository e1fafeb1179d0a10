import { t } from '../../i18n/translate.ts'
import { Fold } from '../components/Disclosure.tsx'
import { ErrorWhat } from '../components/ErrorWhat.tsx'
import { Note } from '../components/Warning.tsx'
import { formatSource } from '../format/address.ts'
import { useQuery } from '../hooks/useQuery.ts'
import { useStores } from '../hooks/useStore.ts'

type Props = { title: string; chainId: number; ticked: string[]; onTick(ids: string[]): void }

/** The service's sources, to tick. Those that were ticked before stay in the list when the service does not answer. */
export function SourceTicks({ title, ...props }: Props) {
  const { ticked } = props
  return (
    <Fold title={ticked.length === 0 ? title : `${title}: ${ticked.length}`}>
      <Sources {...props} />
    </Fold>
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
        <Note>
          <ErrorWhat error={error} /> {t('Couldn’t load the liquidity sources.')}
        </Note>
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
