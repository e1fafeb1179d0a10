import type { ActivityKind, ActivityState } from '../../domain/activity/activity.ts'
import { t } from '../../i18n/translate.ts'
import type { createActivityList } from '../../state/activity/activityList.ts'
import { SearchField } from '../components/fields/SearchField.tsx'
import { Icon } from '../components/Icon.tsx'
import { useStore } from '../hooks/data/useStore.ts'
import { activityKindNames, activityStateNames } from '../messages/activity.ts'

type Props = { list: ReturnType<typeof createActivityList>; hasAccounts: boolean }

export function ActivityFilters({ list, hasAccounts }: Props) {
  const { text, isOfAll, isHere, kind, state } = useStore(list, (now) => now)
  return (
    <search class="activity-filters">
      <SearchField
        label={t('Search by token, amount, address, hash or site')}
        placeholder={t('Token, address, hash, site')}
        text={text}
        onText={(text) => list.want({ text })}
      />
      <div class="chips">
        {hasAccounts && (
          <Filter
            label={t('Account')}
            value={isOfAll ? 'all' : 'this'}
            isSet={isOfAll}
            options={[
              ['this', t('This account')],
              ['all', t('All accounts')],
            ]}
            onChange={(value) => list.want({ isOfAll: value === 'all' })}
          />
        )}
        <Filter
          label={t('Network')}
          value={isHere ? 'this' : 'all'}
          isSet={isHere}
          options={[
            ['all', t('All networks')],
            ['this', t('This network')],
          ]}
          onChange={(value) => list.want({ isHere: value === 'this' })}
        />
        <Filter
          label={t('Type')}
          value={kind ?? ''}
          isSet={kind !== undefined}
          options={[['', t('All types')], ...toNames(activityKindNames)]}
          onChange={(value) => list.want({ kind: (value || undefined) as ActivityKind | undefined })}
        />
        <Filter
          label={t('Status')}
          value={state ?? ''}
          isSet={state !== undefined}
          options={[['', t('All statuses')], ...toNames(activityStateNames)]}
          onChange={(value) => list.want({ state: (value || undefined) as ActivityState | undefined })}
        />
      </div>
    </search>
  )
}

function toNames(table: Record<string, string>): [value: string, name: string][] {
  return Object.entries(table).map(([value, name]) => [value, t(name)])
}

type FilterProps = {
  label: string
  value: string
  /** True when it differs from the default. */
  isSet: boolean
  options: [value: string, name: string][]
  onChange(value: string): void
}

function Filter({ label, value, isSet, options, onChange }: FilterProps) {
  return (
    <span class="filter" data-set={isSet}>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" size={12} />
    </span>
  )
}
