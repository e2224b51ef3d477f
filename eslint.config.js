// What a type checker does not see: style and safety rules of the house. `npm run check` runs it.
import tseslint from 'typescript-eslint';

const noDefaultExports = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: the name is then the same everywhere.',
};

export default tseslint.config(
  { ignores: ['out/**', 'node_modules/**', '.cache/**', 'coverage/**', 'examples/*/.rlxp/runs/**', 'shared/**', 'src-runner/backend/simd/kernels/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended, tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/prefer-for-of': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Terminal text is full of control characters; taking them out needs such patterns.
      'no-control-regex': 'off',
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExports],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // Needs the types of the whole program, so it runs only where a forgotten promise costs a campaign.
    files: ['src-main/**/*.ts', 'src-runner/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    // The runner's process talks to the campaign through its console; tests print figures.
    files: ['src-runner/**/*.ts', 'test/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tools that read a default export.
    files: ['*.config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
