import { partsOfText } from './messageText.ts'

/** Words of a stranger, with everything that cannot be seen named. */
export function Marked({ text }: { text: string }) {
  return partsOfText(text).map((part, at) =>
    'text' in part ? (
      part.text
    ) : (
      <span key={at} class="tag">
        {part.mark}
      </span>
    ),
  )
}
