/** `text` without invisible characters, which often come along with what is copied. White space stays. */
export function withoutUnseen(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}
