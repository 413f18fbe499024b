import DesignSystem

/// Completion in shells: the scripts, and what they ask the program.
///
/// The scripts ask for what could follow a line, so they need no change when the command table changes.
nonisolated enum Completions {
  /// What a shell can ask for.
  static let shells = ["bash", "zsh", "fish"]

  /// What could follow a line, a candidate a line with a tab and its meaning behind it. A last line `:files` says that
  /// a file's name may stand there. No patients: what a shell shows and keeps is nobody's record.
  static func candidates(for line: String, in table: CommandTable) -> String {
    let completion = table.completion(for: line)
    let lines = completion.candidates.map { candidate in
      [candidate.word, candidate.summary].filter { !$0.isEmpty }.map(VisibleText.flat).joined(separator: "\t")
    }
    return (lines + (completion.kind == .file ? [":files"] : [])).map { $0 + "\n" }.joined()
  }

  /// The script of a shell.
  static func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  private static let bash = #"""
    # Completion of clinic in bash, made by "clinic completions bash".
    _clinic() {
      local current=${COMP_WORDS[COMP_CWORD]} line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]} candidate
      COMPREPLY=()
      line=${line#"${line%%[![:space:]]*}"}
      line=${line#"$program"}
      while IFS= read -r candidate; do
        candidate=${candidate%%$'\t'*}
        if [ "$candidate" = :files ]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$current")
          continue
        fi
        # Bash has split the word at its equals sign.
        case $candidate in --*=*) [ "${current#--}" = "$current" ] && candidate=${candidate#*=} ;; esac
        COMPREPLY+=("$candidate")
      done < <("$program" completions line -- "$line" 2>/dev/null)
    }
    complete -F _clinic clinic

    """#

  private static let zsh = #"""
    #compdef clinic
    # Completion of clinic in zsh, made by "clinic completions zsh".
    _clinic() {
      local line candidate word meaning files=
      local -a candidates
      line="${(j: :)words[2,CURRENT-1]} $PREFIX"
      while IFS= read -r candidate; do
        if [[ $candidate == :files ]]; then
          files=yes
          continue
        fi
        word=${candidate%%$'\t'*}
        meaning=${candidate#$word}
        candidates+=("${word//:/\\:}${meaning:+:${meaning#$'\t'}}")
      done < <("${words[1]}" completions line -- "$line" 2>/dev/null)
      (( $#candidates )) && _describe clinic candidates
      [[ -n $files ]] && _files
      return 0
    }
    if [ "$funcstack[1]" = _clinic ]; then _clinic "$@"; else compdef _clinic clinic; fi

    """#

  private static let fish = #"""
    # Completion of clinic in fish, made by "clinic completions fish".
    function __clinic_candidates
      set -l line (commandline -cp | string replace -r '^\s*\S+\s?' '')
      for candidate in (clinic completions line -- "$line" 2>/dev/null)
        if test "$candidate" = :files
          __fish_complete_path (commandline -ct)
        else
          echo $candidate
        end
      end
    end
    complete -c clinic -f -a '(__clinic_candidates)'

    """#
}
