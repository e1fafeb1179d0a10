import { useRef } from 'preact/hooks'
import { caretInGroups, groupTyped, readGrouped } from '../format/numbers.ts'

type FieldEvent = InputEvent & { currentTarget: HTMLInputElement }

/** Handlers of a field that shows `groupTyped(before)`: the caret stays, the marks are not typed. */
export function useGroupedInput(before: string, onText: (text: string) => void) {
  /** Selection start before the current edit. */
  const start = useRef<number | undefined>(undefined)
  return {
    onBeforeInput({ currentTarget }: FieldEvent) {
      start.current = currentTarget.selectionStart ?? undefined
    },
    onInput({ currentTarget: input, inputType }: FieldEvent) {
      // Dropped text is selected afterwards.
      const caret = input.selectionEnd ?? input.value.length
      const next = readGrouped({ text: input.value, caret }, before, { inputType, start: start.current })
      start.current = undefined
      // Before the next render, which would move the caret.
      if (input.value !== groupTyped(next.text)) {
        input.value = groupTyped(next.text)
        input.setSelectionRange(caretInGroups(next), caretInGroups(next))
      }
      onText(next.text)
    },
  }
}
