import { splitText } from './messageText.ts'

/** Untrusted text, with invisible characters replaced by visible marks. */
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
