// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IToken {
  function transfer(address to, uint256 value) external returns (bool);
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @title A contract that moves what it was told to, whatever function is called.
/// It is a collection as well: an item may be among what it gives.
contract Venue {
  struct Deal {
    address takes;
    uint256 taken;
    address gives;
    uint256 given;
    uint256 item;
  }

  mapping(bytes4 selector => Deal) public deals;
  mapping(uint256 id => address) public ownerOf;

  event Transfer(address indexed from, address indexed to, uint256 indexed id);

  receive() external payable {}

  /// @param deal Zero addresses take or give native tokens, amounts of zero nothing.
  function teach(bytes4 selector, Deal calldata deal) external {
    deals[selector] = deal;
  }

  fallback() external payable {
    Deal memory deal = deals[msg.sig];
    if (deal.taken > 0 && deal.takes != address(0)) {
      require(IToken(deal.takes).transferFrom(msg.sender, address(this), deal.taken), 'not taken');
    }
    if (deal.given > 0) {
      if (deal.gives == address(0)) {
        (bool sent, ) = msg.sender.call{ value: deal.given }('');
        require(sent, 'not sent');
      } else {
        require(IToken(deal.gives).transfer(msg.sender, deal.given), 'not given');
      }
    }
    if (deal.item > 0) {
      ownerOf[deal.item] = msg.sender;
      emit Transfer(address(0), msg.sender, deal.item);
    }
  }
}

/// @title A token with `increaseAllowance`, whose logs may be turned off.
contract RaisableToken {
  string public constant symbol = 'RAISE';
  string public constant name = 'Raisable';
  uint8 public constant decimals = 18;

  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;
  bool public isSilent;

  event Approval(address indexed owner, address indexed spender, uint256 amount);

  constructor(address owner, uint256 amount, bool isSilent_) {
    balanceOf[owner] = amount;
    isSilent = isSilent_;
  }

  function increaseAllowance(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] += amount;
    if (!isSilent) emit Approval(msg.sender, spender, allowance[msg.sender][spender]);
    return true;
  }
}

/// @title A token that has no market: all of it belongs to whoever it was made for.
contract ReceiptToken {
  string public constant symbol = 'RCPT';
  string public constant name = 'Receipt';
  uint8 public constant decimals = 18;

  mapping(address owner => uint256) public balanceOf;

  event Transfer(address indexed from, address indexed to, uint256 amount);

  constructor(address owner) {
    balanceOf[owner] = 1e30;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    emit Transfer(msg.sender, to, amount);
    return true;
  }
}
