import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../components/Icon.tsx'
import { type ImportMethod, importMethods } from './importMethods.ts'

export function ImportMethods({ onChoose }: { onChoose(method: ImportMethod): void }) {
  return (
    <div class="panel group">
      {importMethods.map(({ method, name, hint }) => (
        <button key={method} type="button" class="list-row" onClick={() => onChoose(method)}>
          <span class="who">
            <span class="who-name">{t(name)}</span>
            <span class="dim small">{t(hint)}</span>
          </span>
          <Icon name="next" size={18} />
        </button>
      ))}
    </div>
  )
}
