export const keyAdvice =
  'Use lowercase letters, digits, dot, hyphen and underscore; start with a letter or digit.'
