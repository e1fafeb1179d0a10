import { useState } from 'preact/hooks'
import type { ActivityKind, ActivityState } from '../../../domain/activity/activity.ts'
import { plural, t } from '../../../i18n/translate.ts'
import type { createActivityList } from '../../../state/activity/activityList.ts'
import { SearchField } from '../../components/fields/SearchField.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Sheet } from '../../components/Sheet.tsx'
import { useStore } from '../../hooks/data/useStore.ts'
import { activityKindNames, activityStateNames } from '../../messages/activity.ts'

type List = ReturnType<typeof createActivityList>
type Props = { list: List; hasAccounts: boolean; found: number }

export function ActivityFilters({ list, hasAccounts, found }: Props) {
  const now = useStore(list, (state) => state)
  const [isOpen, setOpen] = useState(false)
  const active = [hasAccounts && now.isOfAll, now.isHere, now.kind, now.state].filter(Boolean).length
  return (
    <search class="activity-filters">
      <SearchField
        label={t('Search by token, amount, address, hash or site')}
        placeholder={t('Token, address, hash, site')}
        text={now.text}
        onText={(text) => list.want({ text })}
      />
      <button
        type="button"
        class="filters-open"
        data-set={active > 0}
        aria-haspopup="dialog"
        aria-label={
          active === 0 ? t('Filters') : plural(active, 'Filters, {count} active', 'Filters, {count} active')
        }
        onClick={() => setOpen(true)}
      >
        <Icon name="sliders" size={18} />
        {active > 0 && <span class="num">{active}</span>}
      </button>
      {isOpen && (
        <FilterSheet list={list} hasAccounts={hasAccounts} found={found} onClose={() => setOpen(false)} />
      )}
    </search>
  )
}

function FilterSheet({ list, hasAccounts, found, onClose }: Props & { onClose(): void }) {
  const { isOfAll, isHere, kind, state } = useStore(list, (now) => now)
  return (
    <Sheet title={t('Filters')} onClose={onClose}>
      <div class="panel group filters">
        {hasAccounts && (
          <Filter
            label={t('Account')}
            value={isOfAll ? 'all' : 'this'}
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
          options={[
            ['all', t('All networks')],
            ['this', t('This network')],
          ]}
          onChange={(value) => list.want({ isHere: value === 'this' })}
        />
        <Filter
          label={t('Type')}
          value={kind ?? ''}
          options={[['', t('All types')], ...toNames(activityKindNames)]}
          onChange={(value) => list.want({ kind: (value || undefined) as ActivityKind | undefined })}
        />
        <Filter
          label={t('Status')}
          value={state ?? ''}
          options={[['', t('All statuses')], ...toNames(activityStateNames)]}
          onChange={(value) => list.want({ state: (value || undefined) as ActivityState | undefined })}
        />
      </div>
      <div class="two">
        <button
          type="button"
          class="second"
          onClick={() => list.want({ isOfAll: false, isHere: false, kind: undefined, state: undefined })}
        >
          {t('Clear filters')}
        </button>
        <button type="button" class="main" onClick={onClose}>
          {plural(found, 'Show {count} entry', 'Show {count} entries')}
        </button>
      </div>
    </Sheet>
  )
}

function toNames(table: Record<string, string>): [value: string, name: string][] {
  return Object.entries(table).map(([value, name]) => [value, t(name)])
}

type FilterProps = {
  label: string
  value: string
  options: [value: string, name: string][]
  onChange(value: string): void
}

function Filter({ label, value, options, onChange }: FilterProps) {
  return (
    <label class="list-row filter">
      <span class="grow">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </label>
  )
}
