"""--inputs of a module: bound to the arguments of its forward by name, or by place where they have none."""
import unittest

from torch import nn

from forward_inputs import argument_texts
from import_problem import Problem


class Attention(nn.Module):
    def forward(self, query, key, scale=0.5, mask=None, *, causal=False):
        return query @ key


class Any(nn.Module):
    def forward(self, *tensors):
        return tensors[0]


class Inputs(unittest.TestCase):
    def assert_said(self, said, *texts, model=Attention):
        with self.assertRaises(Problem) as caught:
            argument_texts(texts, model)
        self.assertEqual(str(caught.exception), said)

    def test_they_are_in_the_order_of_forward(self):
        self.assertEqual(argument_texts(["key=f32[8,4]", "query=f16[4,8]"], Attention),
                         ["torch.randn([4, 8], dtype=torch.float16)", "torch.randn([8, 4], dtype=torch.float32)"])
        self.assertEqual(argument_texts(["f32[4]", "key=i64[2]<9"], Attention),
                         ["torch.randn([4], dtype=torch.float32)", "torch.randint(0, 9, [2]).to(torch.int64)"])

    def test_defaults_between_them_stay(self):
        made = argument_texts(["f32[4]", "f32[4]", "mask=b8[4]"], Attention)
        self.assertEqual(made[2:], ["0.5", "torch.randint(0, 2, [4]).to(torch.bool)"])

    def test_a_name_that_forward_has_not_is_refused(self):
        self.assert_said("--inputs querry=f32[4]: forward has no argument querry; its arguments are query, key, scale, mask", "querry=f32[4]", "key=f32[4]")
        self.assert_said("--inputs masc=b8[4]: forward has no argument masc; its arguments are mask, scale, query, key", "f32[4]", "f32[4]", "masc=b8[4]")
        self.assert_said("--inputs x=f32[4]: forward has no argument x; it names none: leave the name out", "x=f32[4]", model=Any)
        self.assertEqual(len(argument_texts(["f32[4]", "f32[4]"], Any)), 2)

    def test_each_is_given_once(self):
        self.assert_said("--inputs query=f32[4]: query is given twice", "f32[4]", "query=f32[4]")
        self.assert_said("--inputs: key of forward is missing, such as key=f32[16,128]", "query=f32[4]")
        self.assert_said("--inputs f32[4]: stands behind one with a name; those without come first", "query=f32[4]", "f32[4]")


if __name__ == "__main__":
    unittest.main()
