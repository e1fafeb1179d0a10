/** Factors a positive definite matrix in place as L·D·Lᵀ: lower half, D on the diagonal. */
export function factor(matrix: Float64Array, size: number): void {
  for (let column = 0; column < size; column++) {
    for (let before = 0; before < column; before++) {
      const part = at(matrix, column * size + before)
      if (part === 0) continue
      const scaled = part * at(matrix, before * size + before)
      for (let row = column; row < size; row++) {
        matrix[row * size + column] =
          at(matrix, row * size + column) - at(matrix, row * size + before) * scaled
      }
    }
    const pivot = at(matrix, column * size + column)
    for (let row = column + 1; row < size; row++) {
      matrix[row * size + column] = at(matrix, row * size + column) / pivot
    }
  }
}

/** Solves for the factored matrix; `values` is the right-hand side, then the solution. */
export function solve(factored: Float64Array, values: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    let sum = at(values, row)
    for (let before = 0; before < row; before++) sum -= at(factored, row * size + before) * at(values, before)
    values[row] = sum
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = at(values, row) / at(factored, row * size + row)
    for (let after = row + 1; after < size; after++) {
      sum -= at(factored, after * size + row) * at(values, after)
    }
    values[row] = sum
  }
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
