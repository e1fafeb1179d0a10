// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Makes scripted moves once, on a call with the cue as selector (0 for native transfers).
/// @dev If `insists`, failures revert.
contract Puppet {
  struct Move {
    address target;
    uint256 value;
    bytes data;
  }
  struct Outcome {
    bool done;
    bytes answer;
  }

  struct Plan {
    bool insists;
    Move[] moves;
  }

  mapping(bytes4 cue => Plan) private plans;
  mapping(bytes4 selector => bytes) private answers;
  Outcome[] private outcomes;

  function teach(bytes4 cue, bool insists, Move[] calldata moves) external {
    plans[cue].insists = insists;
    delete plans[cue].moves;
    for (uint256 i = 0; i < moves.length; ++i) plans[cue].moves.push(moves[i]);
  }

  /// @notice Sets the return data of a call.
  function teachAnswer(bytes4 selector, bytes calldata answer) external {
    answers[selector] = answer;
  }

  function readOutcomes() external view returns (Outcome[] memory) {
    return outcomes;
  }

  function act() internal {
    if (plans[msg.sig].moves.length == 0) return;
    Plan memory plan = plans[msg.sig];
    delete plans[msg.sig];
    for (uint256 i = 0; i < plan.moves.length; ++i) {
      Move memory move = plan.moves[i];
      (bool done, bytes memory answer) = move.target.call{value: move.value}(move.data);
      if (!done && plan.insists) {
        assembly {
          revert(add(answer, 32), mload(answer))
        }
      }
      outcomes.push(Outcome(done, answer));
    }
  }

  receive() external payable {
    act();
  }

  fallback(bytes calldata) external payable virtual returns (bytes memory) {
    act();
    return answers[msg.sig];
  }
}
