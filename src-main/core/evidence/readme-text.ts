// README.txt of a bundle: what it is and how to verify it, in words. This room only.

export function readmeText(study: string): string {
  return `Evidence of the study "${study}"
${'='.repeat(24 + study.length)}

This zip holds what the study's numbers rest on, so that another machine can compute them again:

  ledger.jsonl, ledger.head.json     decisions and spending, each line chained to the one before by SHA-256
  runs/${study}/study.yaml, approval.json, approved.json
                                     what was approved, by whom, and the values behind the digests
  runs/${study}/trials.jsonl         one record for each finished trial
  runs/${study}/trials/<trial>/      trial.json (settings), evaluation.json (one row for each episode), logs/ (event
                                     files of the training), manifest.json (machine, program, seeds)
  runs/${study}/selftest/            the evaluator's self-test
  runs/${study}/verdict.json, winner.json, report.md
                                     what was concluded
  index.json                         length and SHA-256 of every file, what was left out, what was changed on the way in

How to verify it
  With the program:   rlxp evidence verify FILE
      It needs no repository, no key and no network, and unpacks nothing. It checks every digest and the ledger's
      chain, and computes again: scores from episodes, training figures from event files, the self-test, the
      ranking, the verdict and the report. It lists what it computed and what it could not.
  By hand:            unpack it and compare \`sha256sum\` of each file with index.json; each line of ledger.jsonl has
      in \`prev\` the SHA-256 of the line before it, without its newline; \`score\` in a record is the mean over the
      first episodes of each environment in evaluation.json (negated where the metric is minimised).

What it cannot show
  - Who made it. The seals in approval.json and ledger.head.json hold under the key of the machine that made them:
    there, \`rlxp check ${study}\` and \`rlxp ledger verify\` check them.
  - That the episodes and event files are what a training gave: only training again shows that. Seeds and settings
    are in trial.json, the repository's commit and the versions of its packages in manifest.json.
  - That fresh seeds were drawn before anybody saw a score: they come from the machine's key.
  - Wall times, memory and time asleep: they are measurements of that machine.

Folders of the machine stand as <repository>, <program>, <node> and <home>. Names of people who approved, the host's
name in the names of event files, sentences about failures, and what an approval's digest covers stay as they were.
`;
}
