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

/** Visible text, or the code point of an invisible or bidirectional character ("U+202E"). */
type TextPart = { text: string } | { mark: string }

// Joiners and variation selectors are allowed in emoji only.
const unseen =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)[\u200d\ufe0f]|(?![\u200d\ufe0f\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Splits `text` at invisible characters. CRLF counts as one line break. */
export function splitText(text: string): TextPart[] {
  const shown = text.replaceAll('\r\n', '\n')
  const parts: TextPart[] = []
  let from = 0
  for (const { 0: character, index } of shown.matchAll(unseen)) {
    if (index > from) parts.push({ text: shown.slice(from, index) })
    parts.push({ mark: `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}` })
    from = index + character.length
  }
  if (from < shown.length) parts.push({ text: shown.slice(from) })
  return parts
}
