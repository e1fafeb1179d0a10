import { useState } from 'preact/hooks'
import { Icon } from '../Icon.tsx'

const longList = 8

/** Returns a list's search state. Short lists need none. */
export function useSearch(length: number): { isNeeded: boolean; text: string; onText(text: string): void } {
  const [text, setText] = useState('')
  return { isNeeded: length > longList, text, onText: setText }
}

type Props = {
  label: string
  placeholder: string
  text: string
  onText(text: string): void
  onEnter?: () => void
}

export function SearchField({ label, placeholder, text, onText, onEnter }: Props) {
  return (
    <div class="search">
      <Icon name="search" size={18} />
      <input
        class="search-field"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter?.()
        }}
      />
    </div>
  )
}
