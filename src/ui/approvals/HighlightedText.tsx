import { splitText } from './messageText.ts'

/** Marks invisible characters in untrusted text. */
export function HighlightedText({ text }: { text: string }) {
  return splitText(text).map((part, at) =>
    'text' in part ? (
      part.text
    ) : (
      <span key={at} class="tag">
        {part.mark}
      </span>
    ),
  )
}
