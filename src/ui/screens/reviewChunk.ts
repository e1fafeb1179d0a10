// What follows the form is one chunk of the build (Home.tsx): what these screens share would otherwise be fetched with the form.
export { Allowances } from './Allowances.tsx'
export { Progress } from './Progress.tsx'
export { Review } from './Review.tsx'
