/** Question for a zero-based position. */
export type Question = { position: number; choices: string[] }

const asked = 3
const offered = 4

/** Returns three questions. `draw` returns a random integer below `below`. */
export function makeQuiz(phrase: string[], draw: (below: number) => number): Question[] {
  const positions = shuffle([...phrase.keys()], draw).slice(0, asked)
  return positions
    .sort((one, other) => one - other)
    .map((position) => {
      const word = phrase[position] ?? ''
      const others = [...new Set(phrase)].filter((one) => one !== word)
      return { position, choices: shuffle([word, ...shuffle(others, draw).slice(0, offered - 1)], draw) }
    })
}

/** Compares words, since a phrase may repeat one. */
export function isRight(phrase: string[], quiz: Question[], answers: Record<number, string>): boolean {
  return quiz.every(({ position }) => answers[position] === phrase[position])
}

/** Returns a cryptographically random integer. */
export function drawBelow(below: number): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number % below
}

/** Fisher–Yates */
function shuffle<Item>(items: Item[], draw: (below: number) => number): Item[] {
  const left = [...items]
  return items.flatMap(() => left.splice(draw(left.length), 1))
}
