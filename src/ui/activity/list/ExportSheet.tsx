import { toCsv, toJson } from '../../../domain/activity/activityExport.ts'
import type { ActivityEntry } from '../../../domain/activity/incoming.ts'
import { calendarAt } from '../../../domain/calendar.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { Icon } from '../../components/Icon.tsx'
import { Sheet } from '../../components/Sheet.tsx'
import { saveFile } from '../../downloadFile.ts'
import type { Tokens } from '../../tokens/useTokens.ts'

type Props = { entries: ActivityEntry[]; tokens: Tokens; onClose(): void }

/** Exports the entries to a file, created locally. */
export function ExportSheet({ entries, tokens, onClose }: Props) {
  const save = (kind: keyof typeof kinds) => {
    const { write, type } = kinds[kind]
    const text = write(entries, tokens.tokenOf)
    saveFile(`sluice-activity-${calendarAt()(Date.now())}.${kind}`, type, text)
    onClose()
  }
  return (
    <Sheet title={t('Export')} onClose={onClose}>
      <p class="aside dim small">
        {plural(
          entries.length,
          '{count} entry matches the current filters. The file contains the address of your account, and the addresses and sites you interacted with.',
          '{count} entries match the current filters. The file contains the addresses of your accounts, and the addresses and sites you interacted with.',
        )}
      </p>
      <div class="panel group">
        <button type="button" class="list-row" onClick={() => save('csv')}>
          <span class="grow">{t('CSV (spreadsheet)')}</span>
          <Icon name="down" size={18} />
        </button>
        <button type="button" class="list-row" onClick={() => save('json')}>
          <span class="grow">{t('JSON (structured data)')}</span>
          <Icon name="down" size={18} />
        </button>
      </div>
    </Sheet>
  )
}

const kinds = {
  csv: { write: toCsv, type: 'text/csv' },
  json: { write: toJson, type: 'application/json' },
}
